#include "shiftcut/methods/cut_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "support/random_similarities.hpp"

namespace shiftcut::methods {
namespace {

using testing::HasSubstr;

constexpr CutCost kAll[] = {CutCost::min_cut, CutCost::ratio_association, CutCost::ratio_cut,
                            CutCost::normalized_cut, CutCost::adaptive_ratio_cut};

// Negative similarities where they are allowed.
double lowest_for(CutCost cost) {
  return cost == CutCost::normalized_cut || cost == CutCost::adaptive_ratio_cut ? 0.05 : -0.5;
}

const std::vector<double> kFour = {0, 3, 1, 0, 3, 0, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};

std::vector<double> four_plus(double constant) {
  std::vector<double> w = kFour;
  for (double& value : w) {
    value += constant;
  }
  return w;
}

TEST(cut_search, costs_are_the_worked_numbers_of_four_nodes_in_both_forms) {
  const Labels halves = {0, 0, 1, 1};
  for (const Similarities& w : {dense(kFour, 4), graph(kFour, 4)}) {
    EXPECT_NEAR(cut_cost(w, halves, CutCost::min_cut), 4, 1e-12);
    EXPECT_NEAR(cut_cost(w, halves, CutCost::ratio_cut), 2, 1e-12);
    EXPECT_NEAR(cut_cost(w, halves, CutCost::normalized_cut), 0.5833333, 1e-6);
    EXPECT_NEAR(cut_cost(w, halves, CutCost::ratio_association), -5, 1e-12);
    EXPECT_NEAR(cut_cost(w, halves, CutCost::adaptive_ratio_cut, 2), 2, 1e-12);
    EXPECT_NEAR(cut_cost(w, halves, CutCost::adaptive_ratio_cut, 1.5), 1.4142136, 1e-6);
    EXPECT_NEAR(cut_cost(w, halves, CutCost::adaptive_ratio_cut, 1.2), 1.1486984, 1e-6);
  }
  const Similarities raised = dense(four_plus(1), 4);
  EXPECT_NEAR(cut_cost(raised, halves, CutCost::ratio_cut), 6, 1e-12);
  EXPECT_NEAR(cut_cost(raised, halves, CutCost::normalized_cut), 0.8035714, 1e-6);
  EXPECT_NEAR(cut_cost(raised, halves, CutCost::ratio_association), -9, 1e-12);
  EXPECT_NEAR(cut_cost(raised, halves, CutCost::adaptive_ratio_cut, 2), 6, 1e-12);
  EXPECT_NEAR(cut_cost(raised, halves, CutCost::adaptive_ratio_cut, 1.5), 4.2426407, 1e-6);
  EXPECT_NEAR(cut_cost(raised, halves, CutCost::adaptive_ratio_cut, 1.2), 3.4460951, 1e-6);
}

// Over all groupings of n objects: the lowest cost for each number of clusters.
std::map<std::int32_t, double> lowest_costs(const Similarities& similarities, std::size_t n,
                                            CutCost cost, double p) {
  std::map<std::int32_t, double> lowest;
  for_each_grouping(n, [&](const Labels& labels, std::int32_t clusters) {
    const double value = cut_cost(similarities, labels, cost, p);
    const auto [found, is_new] = lowest.try_emplace(clusters, value);
    found->second = std::min(found->second, value);
  });
  return lowest;
}

TEST(cut_search, finds_the_lowest_cost_of_all_groupings_of_a_few_objects) {
  for (const CutCost cost : kAll) {
    Rng rng(static_cast<std::uint64_t>(cost), 1);
    for (int round = 0; round < 8; ++round) {
      const std::size_t n = 3 + rng.below(round == 0 ? 6 : 5);
      const std::vector<double> x = random_symmetric(n, lowest_for(cost), rng);
      std::vector<double> with_diagonal = x;
      for (std::size_t i = 0; i < n; ++i) {
        with_diagonal[i * n + i] = 1;  // no object without similarity
      }
      for (const Similarities& similarities : {dense(with_diagonal, n), graph(with_diagonal, n)}) {
        for (const auto& [clusters, lowest] : lowest_costs(similarities, n, cost, 1.3)) {
          CutSearchOptions options;
          options.clusters = static_cast<std::size_t>(clusters);
          options.cost = cost;
          options.p = 1.3;
          options.restarts = 200;
          options.seed = static_cast<std::uint64_t>(round);
          const CutSearchResult found = cut_search(similarities, options);
          EXPECT_NEAR(found.cost, lowest, 1e-9);
          EXPECT_NEAR(cut_cost(similarities, found.labels, cost, 1.3), found.cost, 1e-9);
        }
      }
    }
  }
}

TEST(cut_search, ends_where_no_single_move_lowers_the_cost_and_no_cluster_is_empty) {
  for (const CutCost cost : kAll) {
    Rng rng(static_cast<std::uint64_t>(cost), 2);
    for (int round = 0; round < 6; ++round) {
      const std::size_t n = 10 + rng.below(40);
      const auto clusters = static_cast<std::int32_t>(2 + rng.below(5));
      std::vector<double> x = random_symmetric(n, lowest_for(cost), rng);
      for (std::size_t i = 0; i < n; ++i) {
        x[i * n + i] = 1;
      }
      for (const Similarities& similarities : {dense(x, n), graph(x, n)}) {
        CutSearchOptions options;
        options.clusters = static_cast<std::size_t>(clusters);
        options.cost = cost;
        options.restarts = 1;
        options.seed = static_cast<std::uint64_t>(round);
        const CutSearchResult found = cut_search(similarities, options);
        ASSERT_TRUE(found.converged);
        Labels labels = found.labels;
        for (std::size_t o = 0; o < n; ++o) {
          const std::int32_t own = labels[o];
          if (std::count(labels.begin(), labels.end(), own) == 1) {
            continue;
          }
          for (std::int32_t to = 0; to < clusters; ++to) {
            labels[o] = to;
            ASSERT_GE(cut_cost(similarities, labels, cost), found.cost - 1e-9);
          }
          labels[o] = own;
        }
        for (std::int32_t k = 0; k < clusters; ++k) {
          ASSERT_GT(std::count(labels.begin(), labels.end(), k), 0);
        }
      }
    }
  }
}

TEST(cut_search, is_the_same_for_any_number_of_threads) {
  for (const CutCost cost : kAll) {
    Rng rng(5);
    const std::size_t n = 120;
    std::vector<double> x = random_symmetric(n, 0.05, rng);
    for (const Similarities& similarities : {dense(x, n), graph(x, n)}) {
      CutSearchOptions options;
      options.clusters = 4;
      options.cost = cost;
      options.restarts = 9;
      options.seed = 3;
      options.threads = 1;
      const CutSearchResult one = cut_search(similarities, options);
      EXPECT_EQ(one.cost, *std::min_element(one.costs.begin(), one.costs.end()));
      for (const int threads : {2, 7}) {
        options.threads = threads;
        const CutSearchResult several = cut_search(similarities, options);
        EXPECT_EQ(several.labels, one.labels);
        EXPECT_EQ(several.costs, one.costs);
        EXPECT_EQ(several.sweeps, one.sweeps);
      }
    }
  }
}

TEST(cut_search, more_restarts_begin_with_the_same_ones) {
  Rng rng(6);
  const Similarities x = dense(random_symmetric(60, 0.05, rng), 60);
  CutSearchOptions options;
  options.clusters = 3;
  options.restarts = 4;
  const std::vector<double> few = cut_search(x, options).costs;
  options.restarts = 8;
  std::vector<double> many = cut_search(x, options).costs;
  many.resize(4);
  EXPECT_EQ(many, few);
}

TEST(cut_search, takes_as_many_clusters_as_objects_and_a_single_one) {
  Rng rng(7);
  std::vector<double> x = random_symmetric(5, 0.05, rng);
  CutSearchOptions options;
  options.cost = CutCost::ratio_cut;
  options.clusters = 5;
  EXPECT_THAT(cut_search(dense(x, 5), options).labels,
              testing::UnorderedElementsAre(0, 1, 2, 3, 4));
  options.clusters = 1;
  for (const CutCost cost : kAll) {
    options.cost = cost;
    const CutSearchResult found = cut_search(dense(x, 5), options);
    EXPECT_THAT(found.labels, testing::Each(0));
    EXPECT_NEAR(found.cost, cut_cost(dense(x, 5), found.labels, cost), 1e-12);
    EXPECT_EQ(cut_search(dense({0}, 1), options).cost, 0);
  }
}

// Section 4: adding alpha to all similarities adds -alpha n to the ratio association and
// alpha n (K - 1) to the ratio cut of every grouping into K non-empty clusters.
TEST(cut_search, costs_of_ratio_association_and_ratio_cut_shift_by_a_constant) {
  Rng rng(8);
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 6;
    const std::vector<double> x = random_symmetric(n, -0.5, rng);
    const double alpha = 4 * rng.uniform() - 2;
    std::vector<double> raised = x;
    for (double& value : raised) {
      value += alpha;
    }
    for_each_grouping(n, [&](const Labels& labels, std::int32_t clusters) {
      const auto gain = [&](CutCost cost) {
        return cut_cost(dense(raised, n), labels, cost) - cut_cost(dense(x, n), labels, cost);
      };
      ASSERT_NEAR(gain(CutCost::ratio_association), -alpha * 6, 1e-10);
      ASSERT_NEAR(gain(CutCost::ratio_cut), alpha * 6 * (clusters - 1), 1e-10);
    });
  }
}

// How often the best grouping into three clusters changes when 2 is added to all similarities, for
// random graphs of six nodes.
int optima_changed(CutCost cost) {
  int changed = 0;
  Rng rng(9);
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 6;
    std::vector<double> x(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        x[i * n + j] = x[j * n + i] = rng.uniform();
      }
    }
    Labels best[2];
    for (int after = 0; after < 2; ++after) {
      for (double& value : x) {
        value += 2.0 * after;
      }
      double lowest = std::numeric_limits<double>::infinity();
      for_each_grouping(n, [&](const Labels& labels, std::int32_t clusters) {
        const double value = clusters == 3 ? cut_cost(dense(x, n), labels, cost) : lowest;
        if (value < lowest) {
          lowest = value;
          best[after] = labels;
        }
      });
    }
    changed += best[0] != best[1] ? 1 : 0;
  }
  return changed;
}

TEST(cut_search, optima_of_ratio_association_and_ratio_cut_do_not_change_with_a_shift) {
  EXPECT_EQ(optima_changed(CutCost::ratio_association), 0);
  EXPECT_EQ(optima_changed(CutCost::ratio_cut), 0);
}

TEST(cut_search, optima_of_normalized_and_adaptive_ratio_cut_change_with_a_shift) {
  EXPECT_GT(optima_changed(CutCost::normalized_cut), 2);
  EXPECT_GT(optima_changed(CutCost::adaptive_ratio_cut), 10);
}

std::string refusal(const Similarities& similarities, const CutSearchOptions& options) {
  try {
    (void)cut_search(similarities, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(cut_search, refuses_what_a_cost_is_not_defined_for) {
  const std::vector<double> signed_pair = {2, -1, -1, 2};
  CutSearchOptions options;
  for (const CutCost cost : {CutCost::min_cut, CutCost::ratio_association, CutCost::ratio_cut,
                             CutCost::normalized_cut}) {
    options.cost = cost;
    EXPECT_EQ(refusal(dense(signed_pair, 2), options), "");
  }
  options.cost = CutCost::adaptive_ratio_cut;
  EXPECT_EQ(refusal(dense(signed_pair, 2), options),
            "adaptive ratio cut: found the similarity -1 of objects 0 and 1; allowed: 0 or more");
  EXPECT_EQ(refusal(dense({-1, 2, 2, -1}, 2), options), "");
  options.p = 1;
  EXPECT_EQ(refusal(dense(kFour, 4), options), "adaptive ratio cut: found p = 1; allowed: above 1");
  options.cost = CutCost::normalized_cut;
  EXPECT_EQ(refusal(graph({0, 1, 0, 1, 0, 0, 0, 0, 0}, 3), options),
            "normalized cut: found 0 as the sum of the similarities of object 2; allowed: above 0");
}

TEST(cut_search, refuses_numbers_that_make_no_sense) {
  const auto with = [](auto change) {
    CutSearchOptions options;
    change(options);
    return refusal(dense(kFour, 4), options);
  };
  EXPECT_THAT(with([](auto& o) { o.clusters = 0; }), HasSubstr("found 0; allowed: 1 to 4"));
  EXPECT_THAT(with([](auto& o) { o.clusters = 5; }), HasSubstr("found 5; allowed: 1 to 4"));
  EXPECT_THAT(with([](auto& o) { o.restarts = 0; }), HasSubstr("restarts: found 0"));
  EXPECT_THAT(with([](auto& o) { o.max_sweeps = 0; }), HasSubstr("max_sweeps: found 0"));
  EXPECT_THROW((void)cut_cost_named("conductance"), std::invalid_argument);
  EXPECT_EQ(cut_cost_named("ratio_cut"), CutCost::ratio_cut);
  EXPECT_THROW((void)cut_cost(dense(kFour, 4), Labels{0, 1}, CutCost::min_cut),
               std::invalid_argument);
  EXPECT_THROW((void)cut_cost(dense(kFour, 4), Labels{0, -1, 0, 0}, CutCost::min_cut),
               std::invalid_argument);
  EXPECT_THROW((void)cut_cost(dense(kFour, 4), Labels{0, 2, 0, 0}, CutCost::min_cut),
               std::invalid_argument);
}

TEST(cut_search, says_when_the_sweeps_were_too_few) {
  Rng rng(10);
  CutSearchOptions options;
  options.clusters = 5;
  options.max_sweeps = 1;
  const CutSearchResult found = cut_search(dense(random_symmetric(80, 0.1, rng), 80), options);
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.sweeps, 1);
}

TEST(cut_search, stops_when_asked_and_reports_progress) {
  std::atomic<bool> stop = false;
  std::vector<std::uint64_t> done;
  Control control;
  control.stop = &stop;
  control.progress = [&](const Progress& progress) {
    done.push_back(progress.done);
    EXPECT_EQ(progress.total, 10U);
  };
  (void)cut_search(dense(kFour, 4), CutSearchOptions{}, control);
  EXPECT_THAT(done, testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  stop = true;
  EXPECT_THROW((void)cut_search(dense(kFour, 4), CutSearchOptions{}, control), Interrupted);
}

}  // namespace
}  // namespace shiftcut::methods

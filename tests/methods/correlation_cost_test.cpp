#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "shiftcut/methods/cut_search.hpp"
#include "shiftcut/run.hpp"
#include "support/random_similarities.hpp"

namespace shiftcut::methods {
namespace {

const std::vector<double> kThree = {0, 2, -1, 2, 0, 3, -1, 3, 0};

// - sum over pairs inside clusters
double shifted_min_cut_cost(const std::vector<double>& x, const Labels& labels, double threshold) {
  double sum = 0;
  const std::size_t n = labels.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      sum -= labels[i] == labels[j] ? x[i * n + j] - threshold : 0;
    }
  }
  return sum;
}

TEST(correlation_cost, is_the_worked_numbers_of_three_objects) {
  struct Case {
    Labels labels;
    double min_cut, correlation, shifted;
  };
  for (const Case& c : {Case{{0, 0, 1}, 4, 6, -4}, Case{{0, 1, 1}, 2, 4, -6},
                        Case{{0, 0, 0}, 0, 2, -8}, Case{{0, 1, 2}, 8, 10, 0}}) {
    for (const Similarities& x : {dense(kThree, 3), graph(kThree, 3)}) {
      EXPECT_NEAR(cut_cost(x, c.labels, CutCost::min_cut), c.min_cut, 1e-12);
      EXPECT_NEAR(correlation_cost(x, c.labels).cost, c.correlation, 1e-12);
    }
    EXPECT_NEAR(shifted_min_cut_cost(kThree, c.labels, 0), c.shifted, 1e-12);
  }
  EXPECT_NEAR(correlation_cost(dense(kThree, 3), Labels{0, 0, 1}).disagreements, 3, 1e-12);
}

TEST(correlation_cost, is_the_other_two_costs_plus_constants) {
  Rng rng(1);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 1 + rng.below(10);
    const std::vector<double> x = random_symmetric(n, -0.6, rng);
    const double threshold = round % 3 == 0 ? 0 : rng.uniform() - 0.5;
    std::vector<double> moved = x;
    double sum = 0;
    double absolute = 0;
    double diagonal = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double value = moved[i * n + j] -= threshold;
        sum += value;
        absolute += std::abs(value);
        diagonal += i == j ? std::abs(value) - value : 0;
      }
    }
    Labels labels(n);
    for (std::size_t i = 0; i < n; ++i) {
      labels[i] = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(n)));
    }
    for (const Similarities& given : {dense(x, n), graph(x, n)}) {
      const CorrelationCost found = correlation_cost(given, labels, threshold);
      double cut = 0;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          cut += labels[i] == labels[j] ? 0 : moved[i * n + j];
        }
      }
      EXPECT_NEAR(found.cost, cut + (absolute - sum) / 2, 1e-10);
      EXPECT_NEAR(found.cost, shifted_min_cut_cost(x, labels, threshold) + (absolute + sum) / 2,
                  1e-10);
      EXPECT_NEAR(found.disagreements, found.cost / 2 - diagonal / 4, 1e-10);
    }
  }
}

// The search of the shifted min cut without a shift is correlation clustering.
TEST(correlation_cost, is_lowest_where_the_search_without_a_shift_ends) {
  Rng rng(2);
  for (int round = 0; round < 25; ++round) {
    const std::size_t n = 2 + rng.below(round < 3 ? 7 : 6);
    const std::vector<double> x = random_symmetric(n, -0.5, rng);
    std::map<std::int32_t, double> lowest;  // with at most that many clusters
    for_each_grouping(n, [&](const Labels& labels, std::int32_t clusters) {
      const double cost = correlation_cost(dense(x, n), labels).cost;
      for (auto k = clusters; k <= static_cast<std::int32_t>(n); ++k) {
        const auto [found, is_new] = lowest.try_emplace(k, cost);
        found->second = std::min(found->second, cost);
      }
    });
    for (const bool is_graph : {false, true}) {
      Input input;
      input.values = is_graph ? graph(x, n) : dense(x, n);
      input.shape = is_graph ? Shape::graph : Shape::similarity;
      Options options;
      options.shift.kind = ShiftKind::none;
      options.search.restarts = 30;
      for (std::size_t clusters = 0; clusters <= n; ++clusters) {
        options.search.clusters =
            clusters == 0 ? std::nullopt : std::optional<std::size_t>(clusters);
        const Labels labels = run(input, options).labels;
        EXPECT_NEAR(correlation_cost(dense(x, n), labels).cost,
                    lowest[static_cast<std::int32_t>(clusters == 0 ? n : clusters)], 1e-9);
      }
    }
  }
}

TEST(correlation_cost, refuses_labels_that_do_not_fit) {
  EXPECT_THROW((void)correlation_cost(dense(kThree, 3), Labels{0, 1}), std::invalid_argument);
  EXPECT_THROW((void)correlation_cost(dense(kThree, 3), Labels{0, 1, -1}), std::invalid_argument);
  EXPECT_THROW((void)correlation_cost(dense(kThree, 3), Labels{0, 1, 3}), std::invalid_argument);
}

}  // namespace
}  // namespace shiftcut::methods

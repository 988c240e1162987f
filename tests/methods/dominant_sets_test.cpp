#include "shiftcut/methods/dominant_sets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <set>
#include <stdexcept>

#include "methods/similarity_cases.hpp"

namespace shiftcut::methods {
namespace {

using testing::Each;
using testing::ElementsAre;

const std::vector<Dynamics> kBoth = {Dynamics::replicator, Dynamics::infection};

DominantSetsOptions options_of(Dynamics dynamics, double tolerance = 1e-11) {
  DominantSetsOptions options;
  options.search.dynamics = dynamics;
  options.search.tolerance = tolerance;
  options.search.max_steps = 1000000;
  return options;
}

TEST(dominant_sets, both_dynamics_peel_the_worked_example) {
  for (const Dynamics dynamics : kBoth) {
    const DominantSetsResult result = dominant_sets(worked_matrix(), options_of(dynamics));
    EXPECT_THAT(result.labels, ElementsAre(0, 0, 0, 1, 1));
    ASSERT_EQ(result.sets.size(), 2);
    EXPECT_THAT(result.sets[0].members, ElementsAre(0, 1, 2));
    EXPECT_THAT(result.sets[1].members, ElementsAre(3, 4));
    EXPECT_NEAR(result.sets[0].cohesiveness, 2.0 / 3, 1e-6);
    EXPECT_NEAR(result.sets[1].cohesiveness, .25, 1e-6);
    EXPECT_EQ(result.assigned_before, 5);
    EXPECT_EQ(result.assigned_after, 5);
  }
}

TEST(dominant_sets, every_set_meets_the_conditions_of_a_local_maximum_among_what_was_left) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::size_t n = 60;
    const DenseArray a = random_similarities(n, seed, seed % 2 == 0 ? 1.0 : 0.3);
    for (const Dynamics dynamics : kBoth) {
      const DominantSetsResult result = dominant_sets(a, options_of(dynamics));
      std::vector<bool> taken(n, false);
      for (const DominantSet& set : result.sets) {
        EXPECT_TRUE(set.converged);
        EXPECT_NEAR(std::accumulate(set.weights.begin(), set.weights.end(), 0.0), 1, 1e-12);
        for (std::size_t i = 0; i < n; ++i) {
          if (taken[i]) {
            continue;
          }
          double payoff = 0;
          bool member = false;
          for (std::size_t k = 0; k < set.members.size(); ++k) {
            member = member || set.members[k] == i;
            payoff += set.members[k] == i ? 0 : a.at(i, set.members[k]) * set.weights[k];
          }
          if (member) {
            EXPECT_NEAR(payoff, set.cohesiveness, 1e-4);
          } else {
            EXPECT_LE(payoff, set.cohesiveness + 1e-4);
          }
        }
        for (const std::uint32_t member : set.members) {
          EXPECT_FALSE(taken[member]);
          taken[member] = true;
        }
      }
    }
  }
}

// All supports that carry a strict local maximum, by solving A_S x = 1 for each of them.
std::set<std::vector<std::uint32_t>> all_dominant_sets(const DenseArray& a) {
  const auto n = static_cast<std::uint32_t>(a.rows());
  std::set<std::vector<std::uint32_t>> found;
  for (std::uint32_t chosen = 1; chosen < (1U << n); ++chosen) {
    std::vector<std::uint32_t> support;
    for (std::uint32_t i = 0; i < n; ++i) {
      if ((chosen >> i & 1U) != 0) {
        support.push_back(i);
      }
    }
    const std::optional<std::vector<double>> x = stationary_point(a, support);
    if (support.size() > 1 && x && is_strict_maximum(a, support, *x)) {
      found.insert(support);
    }
  }
  return found;
}

TEST(dominant_sets, the_first_set_of_few_objects_is_one_that_brute_force_finds) {
  std::set<std::size_t> sizes;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const std::size_t n = 2 + seed % 7;
    const DenseArray a = random_similarities(n, seed, seed % 3 == 0 ? 0.6 : 1.0);
    const auto all = all_dominant_sets(a);
    for (const Dynamics dynamics : kBoth) {
      const DominantSetsResult result = dominant_sets(a, options_of(dynamics));
      if (result.sets.empty()) {
        EXPECT_TRUE(all.empty());
        continue;
      }
      EXPECT_TRUE(all.contains(result.sets[0].members)) << "seed " << seed;
      sizes.insert(result.sets[0].members.size());
    }
  }
  EXPECT_GE(sizes.size(), 4);
}

TEST(dominant_sets, both_dynamics_agree_on_well_separated_blocks) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const DenseArray a = blocks({7, 12, 9, 15}, seed);
    const Labels replicated = dominant_sets(a, options_of(Dynamics::replicator)).labels;
    EXPECT_EQ(replicated, dominant_sets(a, options_of(Dynamics::infection)).labels);
    // Members of a block share a label, and only they.
    std::set<std::int32_t> labels;
    std::size_t at = 0;
    for (const std::size_t size : {7, 12, 9, 15}) {
      EXPECT_THAT(std::vector(replicated.begin() + at, replicated.begin() + at + size),
                  Each(replicated[at]));
      labels.insert(replicated[at]);
      at += size;
    }
    EXPECT_EQ(labels.size(), 4);
  }
}

TEST(dominant_sets, a_matrix_and_its_graph_have_the_same_sets) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const DenseArray a = random_similarities(80, seed, 0.2);
    for (const Dynamics dynamics : kBoth) {
      const DominantSetsResult dense = dominant_sets(a, options_of(dynamics));
      const DominantSetsResult graph = dominant_sets(as_graph(a), options_of(dynamics));
      EXPECT_EQ(dense.labels, graph.labels);
      ASSERT_EQ(dense.sets.size(), graph.sets.size());
      for (std::size_t k = 0; k < dense.sets.size(); ++k) {
        EXPECT_NEAR(dense.sets[k].cohesiveness, graph.sets[k].cohesiveness, 1e-6);
      }
    }
  }
}

TEST(dominant_sets, threads_change_nothing) {
  const DenseArray a = random_similarities(500, 3, 1.0);
  const SparseMatrix graph = as_graph(random_similarities(700, 4, 0.3));
  for (const Dynamics dynamics : kBoth) {
    for (const Similarities& similarities : {Similarities(a), Similarities(graph)}) {
      DominantSetsOptions options = options_of(dynamics, 1e-8);
      options.sets = 4;
      const DominantSetsResult one = dominant_sets(similarities, options);
      for (const int threads : {2, 7}) {
        options.threads = threads;
        const DominantSetsResult other = dominant_sets(similarities, options);
        EXPECT_EQ(other.labels, one.labels);
        ASSERT_EQ(other.sets.size(), one.sets.size());
        for (std::size_t k = 0; k < one.sets.size(); ++k) {
          EXPECT_EQ(other.sets[k].weights, one.sets[k].weights);
          EXPECT_EQ(other.sets[k].steps, one.sets[k].steps);
        }
      }
    }
  }
}

TEST(dominant_sets, the_diagonal_does_not_count) {
  const DenseArray a = random_similarities(40, 1, 1.0);
  const DominantSetsResult plain = dominant_sets(a);
  const DominantSetsResult huge = dominant_sets(with_diagonal(a, 1e12));
  EXPECT_EQ(plain.labels, huge.labels);
  EXPECT_EQ(plain.sets[0].cohesiveness, huge.sets[0].cohesiveness);
  EXPECT_EQ(plain.labels, dominant_sets(as_graph(with_diagonal(a, 1e12))).labels);
}

TEST(dominant_sets, equal_clusters_that_nothing_joins_are_told_apart) {
  for (const Dynamics dynamics : kBoth) {
    for (const std::size_t groups : {2, 3, 5}) {
      const DenseArray a = equal_cliques(groups, 3);
      for (const Similarities& s : {Similarities(a), Similarities(as_graph(a))}) {
        const DominantSetsResult result = dominant_sets(s, options_of(dynamics));
        EXPECT_EQ(result.sets.size(), groups);
        for (const DominantSet& set : result.sets) {
          EXPECT_EQ(set.members.size(), 3);
          EXPECT_EQ(set.members[0] % 3, 0);
          EXPECT_EQ(set.members[2], set.members[0] + 2);
        }
      }
    }
  }
}

TEST(dominant_sets, where_nothing_is_similar_there_are_no_sets) {
  for (const Dynamics dynamics : kBoth) {
    for (const std::size_t n : {1, 4}) {
      const auto zero = DenseArray::own(std::vector<double>(n * n), n, n);
      for (const Similarities& s : {Similarities(zero), Similarities(as_graph(zero))}) {
        const DominantSetsResult result = dominant_sets(s, options_of(dynamics));
        EXPECT_THAT(result.labels, Each(-1));
        EXPECT_TRUE(result.sets.empty());
        EXPECT_EQ(result.assigned_after, 0);
      }
    }
  }
}

TEST(dominant_sets, objects_that_are_the_same_share_a_set) {
  const auto same = DenseArray::own(std::vector<double>(36, 2.0), 6, 6);
  for (const Dynamics dynamics : kBoth) {
    for (const bool least : {false, true}) {
      DominantSetsOptions options = options_of(dynamics);
      options.shift = least ? std::nullopt : std::optional(0.0);
      const DominantSetsResult result = dominant_sets(same, options);
      EXPECT_THAT(result.labels, Each(0));
      EXPECT_THAT(result.sets.at(0).weights, Each(testing::DoubleNear(1.0 / 6, 1e-12)));
      EXPECT_NEAR(result.sets.at(0).cohesiveness, 2 * 5.0 / 6, 1e-12);
    }
  }
}

TEST(dominant_sets, the_unit_of_the_similarities_does_not_matter) {
  const DenseArray a = random_similarities(50, 8, 1.0);
  for (const Dynamics dynamics : kBoth) {
    const Labels plain = dominant_sets(a, options_of(dynamics, 1e-8)).labels;
    for (const double factor : {1e-9, 1e9}) {
      EXPECT_EQ(dominant_sets(scaled(a, factor), options_of(dynamics, 1e-8)).labels, plain);
    }
  }
}

TEST(dominant_sets, leftovers_follow_the_rule) {
  // {0,1,2} and {3,4} as sets; 5 is like both, 6 like nobody.
  std::vector<Entry> entries;
  const auto join = [&](std::uint32_t i, std::uint32_t j, double value) {
    entries.push_back({i, j, value});
    entries.push_back({j, i, value});
  };
  join(0, 1, 1);
  join(0, 2, 1);
  join(1, 2, 1);
  join(3, 4, .9);
  join(5, 0, .31);
  join(5, 3, .2);
  const SparseMatrix graph = sparse_from_entries(entries, 7, 7);
  DominantSetsOptions options = options_of(Dynamics::infection);
  options.sets = 2;
  const auto labels = [&](Leftovers rule) {
    options.leftovers = rule;
    return dominant_sets(graph, options);
  };
  EXPECT_THAT(labels(Leftovers::none).labels, ElementsAre(0, 0, 0, 1, 1, -1, -1));
  EXPECT_EQ(labels(Leftovers::none).assigned_after, 5);
  // Of object 5, means .103 and .1; (Ax)/f: .103 / (2/3) and .1 / .45.
  EXPECT_THAT(labels(Leftovers::assign).labels, ElementsAre(0, 0, 0, 1, 1, 0, -1));
  const DominantSetsResult extended = labels(Leftovers::extend);
  EXPECT_THAT(extended.labels, ElementsAre(0, 0, 0, 1, 1, 1, -1));
  EXPECT_EQ(extended.assigned_before, 5);
  EXPECT_EQ(extended.assigned_after, 6);
}

TEST(dominant_sets, a_shift_maximises_f_plus_the_squares) {
  const DenseArray a = raised(random_similarities(40, 2, 1.0), 0.5);
  for (const Dynamics dynamics : kBoth) {
    DominantSetsOptions options = options_of(dynamics);
    options.shift.reset();
    const DominantSetsResult result = dominant_sets(a, options);
    EXPECT_GT(result.shift, 0.5);
    const DominantSet& set = result.sets.at(0);
    const double squares =
        std::inner_product(set.weights.begin(), set.weights.end(), set.weights.begin(), 0.0);
    for (std::size_t k = 0; k < set.members.size(); ++k) {
      double slope = result.shift * set.weights[k];
      for (std::size_t l = 0; l < set.members.size(); ++l) {
        slope += l == k ? 0 : a.at(set.members[k], set.members[l]) * set.weights[l];
      }
      EXPECT_NEAR(slope, set.cohesiveness + result.shift * squares, 1e-6);
    }
    EXPECT_LT(set.members.size(), dominant_sets(a, options_of(dynamics)).sets[0].members.size());
  }
}

std::string message_of(const Similarities& similarities, const DominantSetsOptions& options) {
  try {
    dominant_sets(similarities, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(dominant_sets, what_is_not_allowed_is_named) {
  const DenseArray a = worked_matrix();
  DominantSetsOptions options;
  EXPECT_EQ(message_of(DenseArray::own(std::vector<double>{0, -1, -1, 0}, 2, 2), options),
            "dominant sets: found the similarity -1 of objects 0 and 1; allowed: 0 or more");
  options.sets = 6;
  EXPECT_EQ(message_of(a, options),
            "dominant sets: found 6 sets requested; allowed: 0 (all there are) to 5, the objects");
  options = {};
  options.search.tolerance = 0;
  EXPECT_EQ(message_of(a, options), "dominant sets: found the tolerance 0; allowed: above 0");
  options = {};
  options.search.support = 1;
  EXPECT_THAT(message_of(a, options), testing::HasSubstr("allowed: 0 or more, below 1"));
  options = {};
  options.shift = .2;
  EXPECT_EQ(message_of(a, options),
            "dominant sets: found the shift 0.2; allowed: 0 to the least similarity, 0.1");
  options.shift = -.1;
  EXPECT_THAT(message_of(a, options), testing::HasSubstr("found the shift -0.1"));
}

TEST(dominant_sets, it_stops_when_asked_and_tells_how_far_it_is) {
  const DenseArray a = random_similarities(100, 5, 1.0);
  std::atomic<bool> stop{false};
  Control control;
  control.stop = &stop;
  std::uint64_t done = 0;
  control.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.total, 100);
    EXPECT_GT(progress.done, done);
    done = progress.done;
    stop = true;
  };
  for (const Dynamics dynamics : kBoth) {
    done = 0;
    stop = false;
    EXPECT_THROW(dominant_sets(a, options_of(dynamics), control), Interrupted);
    EXPECT_GT(done, 0);
    EXPECT_LT(done, 100);
  }
}

}  // namespace
}  // namespace shiftcut::methods

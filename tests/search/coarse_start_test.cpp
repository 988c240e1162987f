#include "search/coarse_start.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

constexpr std::size_t kMostFree = 32;

std::vector<std::vector<ClusterId>> starts_of(const Problem& problem, const CoarseOptions& options,
                                              int threads = 2) {
  ThreadTeam team(threads);
  NoLimit limit;
  return coarse_starts(problem, options, limit.with(team));
}

CoarseOptions wanting(Clusters clusters, std::size_t attempts, int trials, std::size_t keep) {
  CoarseOptions options;
  options.clusters = clusters;
  options.attempts = attempts;
  options.trials = trials;
  options.keep = keep;
  options.seed = 5;
  return options;
}

void expect_valid(const std::vector<std::vector<ClusterId>>& starts, std::size_t n,
                  Clusters clusters, std::size_t keep, const std::string& name) {
  EXPECT_GE(starts.size(), 1U) << name;
  EXPECT_LE(starts.size(), keep) << name;
  for (const auto& labels : starts) {
    ASSERT_EQ(labels.size(), n) << name;
    for (const ClusterId k : labels) {
      ASSERT_LT(k, clusters.value_or(kMostFree)) << name;
    }
  }
}

// Everything that has such starts: many objects are sampled, few are all seen.
template <class Use>
void for_each_problem(std::size_t n, const Use& use) {
  ThreadTeam team(2);
  Rng rng(n);
  for (const NamedInput& data : one_of_each(n, 3, rng)) {
    for (const ShiftOptions& shift : some_shifts()) {
      const MadeProblem made = problem_of(data, shift, team);
      if (has_coarse_start(made.problem, 3)) {
        use(made.problem, data.name);
      }
    }
  }
}

TEST(coarse_start, serves_features_and_matrices_with_few_clusters) {
  ThreadTeam team(1);
  Rng rng(1);
  std::set<std::string> served;
  for (const NamedInput& data : one_of_each(20, 3, rng)) {
    const MadeProblem made = problem_of(data, some_shifts()[0], team);
    if (has_coarse_start(made.problem, 5) && has_coarse_start(made.problem, {})) {
      served.insert(data.name);
    }
    EXPECT_FALSE(has_coarse_start(made.problem, 1000));
  }
  EXPECT_EQ(served, (std::set<std::string>{"linear", "linear float32", "plain distances", "cosine",
                                           "rbf", "matrix"}));
}

TEST(coarse_start, labels_all_objects_of_few) {
  for (const std::size_t n : {1U, 2U, 5U, 60U}) {
    for_each_problem(n, [&](const Problem& problem, const std::string& name) {
      for (const Clusters& clusters :
           {Clusters{}, Clusters{1}, Clusters{std::min<std::size_t>(n, 4)}, Clusters{n}}) {
        expect_valid(starts_of(problem, wanting(clusters, 6, 10, 2)), n, clusters, 2, name);
      }
    });
  }
}

TEST(coarse_start, labels_all_objects_of_a_sample) {
  for_each_problem(1100, [&](const Problem& problem, const std::string& name) {
    for (const Clusters& clusters : {Clusters{}, Clusters{6}}) {
      expect_valid(starts_of(problem, wanting(clusters, 3, 5, 2)), 1100, clusters, 2, name);
    }
  });
}

TEST(coarse_start, where_everyone_is_seen_it_ends_in_a_local_optimum) {
  ThreadTeam team(1);
  for_each_problem(70, [&](const Problem& problem, const std::string& name) {
    const plain::Matrix s = plain::shifted_matrix(problem);
    for (const auto& labels : starts_of(problem, wanting(4, 5, 20, 3))) {
      expect_local_optimum(s, labels, cost(problem, labels, team), 4, name);
    }
  });
}

TEST(coarse_start, different_answers_come_by_rising_cost) {
  ThreadTeam team(1);
  Rng rng(3);
  const NamedInput data{"matrix", symmetric_matrix(80, rng), {}};
  const MadeProblem made = problem_of(data, some_shifts()[0], team);
  const auto starts = starts_of(made.problem, wanting(6, 20, 0, 5));
  ASSERT_EQ(starts.size(), 5U);
  for (std::size_t a = 1; a < starts.size(); ++a) {
    EXPECT_LT(cost(made.problem, starts[a - 1], team), cost(made.problem, starts[a], team));
  }
}

TEST(coarse_start, a_sample_shows_the_groups_of_all) {
  ThreadTeam team(2);
  Rng rng(4);
  std::vector<double> rows;
  std::vector<ClusterId> group;
  for (std::size_t i = 0; i < 3000; ++i) {  // far apart, at the corners of a simplex
    group.push_back(rng.below(4));
    for (ClusterId j = 0; j < 4; ++j) {
      rows.push_back((j == group.back() ? 30.0 : 0.0) + normal(rng));
    }
  }
  SimilarityOptions linear;
  linear.kind = Similarity::linear;
  linear.scale = Scale::none;
  const NamedInput data{"linear", features(rows, 3000, 4), linear};
  const MadeProblem made = problem_of(data, some_shifts()[0], team);
  const auto starts = starts_of(made.problem, wanting(4, 4, 10, 1));
  ASSERT_EQ(starts.size(), 1U);
  std::set<std::pair<ClusterId, ClusterId>> pairs;
  for (std::size_t i = 0; i < group.size(); ++i) {
    pairs.emplace(group[i], starts[0][i]);
  }
  EXPECT_EQ(pairs.size(), 4U);
}

TEST(coarse_start, is_the_same_for_any_number_of_threads) {
  for (const std::size_t n : {90U, 1000U}) {
    for_each_problem(n, [&](const Problem& problem, const std::string& name) {
      for (const Clusters& clusters : {Clusters{}, Clusters{5}}) {
        const CoarseOptions options = wanting(clusters, 4, 6, 3);
        const auto one = starts_of(problem, options, 1);
        EXPECT_EQ(one, starts_of(problem, options, 2)) << name;
        EXPECT_EQ(one, starts_of(problem, options, 7)) << name;
      }
    });
  }
}

TEST(coarse_start, told_to_stop_it_still_labels_everyone) {
  const std::atomic<bool> flag{true};
  Control control;
  control.stop = &flag;
  for (const std::size_t n : {50U, 1000U}) {
    for_each_problem(n, [&](const Problem& problem, const std::string& name) {
      ThreadTeam team(2);
      StopCheck stop(control, Clock::now(), 0);
      Rng rng(0);
      for (const Clusters& clusters : {Clusters{}, Clusters{5}}) {
        const auto starts = coarse_starts(problem, wanting(clusters, 50, 50, 3), {rng, team, stop});
        expect_valid(starts, n, clusters, 3, name);
      }
    });
  }
}

}  // namespace
}  // namespace shiftcut

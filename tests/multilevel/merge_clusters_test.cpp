#include "multilevel/multilevel.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

// Every object a node, each pair by the definition, all pairs looked at again for every merge.
std::vector<ClusterId> plain_merge(const plain::Matrix& s, std::size_t clusters) {
  std::vector<ClusterId> labels(s.size());
  std::iota(labels.begin(), labels.end(), ClusterId{0});
  std::size_t left = s.size();
  while (left > 1) {
    double best = 0;
    std::pair<ClusterId, ClusterId> pair{kNoCluster, kNoCluster};
    for (ClusterId a = 0; a < s.size(); ++a) {
      for (ClusterId b = a + 1; b < s.size(); ++b) {
        double between = 0;
        bool has_b = false;
        bool has_a = false;
        for (std::size_t i = 0; i < s.size(); ++i) {
          has_a = has_a || labels[i] == a;
          has_b = has_b || labels[i] == b;
          for (std::size_t j = 0; labels[i] == a && j < s.size(); ++j) {
            between += labels[j] == b ? s[i][j] : 0.0;
          }
        }
        if (has_a && has_b && (pair.first == kNoCluster || between > best)) {
          best = between;
          pair = {a, b};
        }
      }
    }
    if (left <= clusters && !(best > 0)) {
      break;
    }
    std::replace(labels.begin(), labels.end(), pair.second, pair.first);
    --left;
  }
  compact_labels(labels);
  return labels;
}

TEST(merge_clusters, takes_the_best_pair_every_time) {
  ThreadTeam team(1);
  Rng rng(1);
  for (int round = 0; round < 8; ++round) {
    const std::size_t n = 2 + rng.below(14);
    const NamedInput data{"matrix", symmetric_matrix(n, rng), {}};
    for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
      const MadeProblem made = problem_of(data, shift, team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      std::vector<ClusterId> single(n);
      std::iota(single.begin(), single.end(), ClusterId{0});
      const DenseLevel finest(std::get<DenseProblem>(made.problem));
      const SparseLevel level = contract(finest, single, n, team);
      for (std::size_t clusters = 1; clusters <= n; clusters += 1 + clusters / 2) {
        NoLimit limit;
        EXPECT_EQ(merge_clusters(level, clusters, limit.check), plain_merge(s, clusters));
      }
    }
  }
}

TEST(merge_clusters, leaves_at_most_as_many_as_asked_for) {
  ThreadTeam team(1);
  Rng rng(2);
  for (const std::size_t n : {1U, 2U, 30U, 500U, 2500U}) {
    for (const bool negative : {false, true}) {
      const NamedInput data{"graph", graph(n, 2, negative, false, rng), {}};
      const MadeProblem made = problem_of(data, some_shifts()[negative ? 3 : 0], team);
      const SparseLevel level(std::get<GraphProblem>(made.problem));
      for (const std::size_t clusters : {std::size_t{1}, std::size_t{4}, n / 2 + 1, n}) {
        NoLimit limit;
        const std::vector<ClusterId> labels = merge_clusters(level, clusters, limit.check);
        ASSERT_EQ(labels.size(), n);
        EXPECT_LT(*std::max_element(labels.begin(), labels.end()), std::min(n, clusters));
      }
    }
  }
}

// As many as are tried in all pairs, and too many for that.
TEST(merge_clusters, puts_cliques_together) {
  ThreadTeam team(1);
  for (const std::size_t cliques : {50U, 700U}) {
    std::vector<std::pair<ObjectId, ObjectId>> edges;
    for (ObjectId c = 0; c < cliques; ++c) {
      for (ObjectId i = 0; i < 4; ++i) {
        for (ObjectId j = 0; j < i; ++j) {
          edges.emplace_back(4 * c + i, 4 * c + j);
        }
      }
    }
    const NamedInput data = graph_of(edges, 4 * cliques);
    const MadeProblem made = problem_of(data, some_shifts()[3], team);
    const SparseLevel level(std::get<GraphProblem>(made.problem));
    NoLimit limit;
    const std::vector<ClusterId> labels = merge_clusters(level, cliques, limit.check);
    for (ObjectId v = 0; v < labels.size(); ++v) {
      ASSERT_EQ(labels[v], v / 4);
    }
  }
}

TEST(merge_clusters, of_many_nodes_without_edges_gives_even_clusters) {
  ThreadTeam team(1);
  const NamedInput data = graph_of({}, 3000);
  const MadeProblem made = problem_of(data, some_shifts()[3], team);
  const SparseLevel level(std::get<GraphProblem>(made.problem));
  NoLimit limit;
  const std::vector<ClusterId> labels = merge_clusters(level, 3, limit.check);
  std::vector<int> sizes(3, 0);
  for (const ClusterId k : labels) {
    ++sizes[k];
  }
  EXPECT_GE(*std::min_element(sizes.begin(), sizes.end()), 500);
}

TEST(merge_clusters, told_to_stop_still_leaves_no_more_than_asked_for) {
  ThreadTeam team(1);
  Rng rng(3);
  const std::atomic<bool> flag{true};
  Control control;
  control.stop = &flag;
  for (const std::size_t n : {40U, 2500U}) {
    const NamedInput data{"graph", graph(n, 4, false, false, rng), {}};
    const MadeProblem made = problem_of(data, some_shifts()[0], team);
    const SparseLevel level(std::get<GraphProblem>(made.problem));
    StopCheck stop(control, Clock::now(), 0);
    const std::vector<ClusterId> labels = merge_clusters(level, 5, stop);
    ASSERT_EQ(labels.size(), n);
    EXPECT_LT(*std::max_element(labels.begin(), labels.end()), 5U);
  }
}

}  // namespace
}  // namespace shiftcut

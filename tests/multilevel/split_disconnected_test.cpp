#include "multilevel/multilevel.hpp"

#include <gtest/gtest.h>

#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

TEST(split_disconnected, of_constant_shift_above_0_leaves_every_cluster_connected) {
  ThreadTeam team(1);
  Rng rng(1);
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 1 + rng.below(60);
    const NamedInput data{"graph", graph(n, 2, round % 2 == 0, round % 3 == 0, rng), {}};
    const auto& graph = std::get<SparseMatrix>(data.input.values);
    const MadeProblem made = problem_of(data, {ShiftKind::constant, 1, 0.3, {}}, team);
    std::vector<ClusterId> labels = random_labels(n, 4, rng);
    const std::vector<ClusterId> before = labels;
    const std::vector<ObjectId> parts = parts_of(graph, before);
    const double cost_before = cost(made.problem, labels, team);
    const bool any = split_disconnected(std::get<GraphProblem>(made.problem), labels, team);
    EXPECT_EQ(any, count_distinct(parts) > count_distinct(before));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        ASSERT_EQ(labels[i] == labels[j], parts[i] == parts[j]);
      }
    }
    const double cost_after = cost(made.problem, labels, team);
    EXPECT_TRUE(any ? cost_after < cost_before : labels == before);
  }
}

TEST(split_disconnected, lowers_the_cost_until_no_part_had_better_be_alone) {
  ThreadTeam team(1);
  Rng rng(2);
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 5 + rng.below(50);
    const NamedInput data{"graph", graph(n, 2, false, false, rng), {}};
    const auto& graph = std::get<SparseMatrix>(data.input.values);
    for (const ShiftOptions& shift : with_degree(all_shifts(n, rng), data)) {
      if (shift.kind == ShiftKind::matrix) {
        continue;
      }
      const MadeProblem made = problem_of(data, shift, team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      std::vector<ClusterId> labels = random_labels(n, 3, rng);
      double last = plain::cost(s, labels);
      while (split_disconnected(std::get<GraphProblem>(made.problem), labels, team)) {
        const double now = plain::cost(s, labels);
        ASSERT_LT(now, last);
        last = now;
      }
      EXPECT_LE(best_parting(s, graph, labels), 1e-9 * scale_of(s));
    }
  }
}

TEST(split_disconnected, is_the_same_on_any_number_of_threads) {
  Rng rng(4);
  ThreadTeam alone(1);
  for (const double degree : {2.0, 4.0, 12.0}) {
    const std::size_t n = 60'000;
    const NamedInput data{"graph", graph(n, degree, false, true, rng), {}};
    const MadeProblem made = problem_of(data, {ShiftKind::constant, 1, 0.3, {}}, alone);
    const auto& problem = std::get<GraphProblem>(made.problem);
    const std::vector<ClusterId> before = random_labels(n, 7, rng);
    std::vector<ClusterId> expected = before;
    EXPECT_TRUE(split_disconnected(problem, expected, alone));
    EXPECT_EQ(count_distinct(expected),
              count_distinct(parts_of(std::get<SparseMatrix>(data.input.values), before)));
    for (const int threads : {2, 7}) {
      ThreadTeam team(threads);
      std::vector<ClusterId> labels = before;
      EXPECT_TRUE(split_disconnected(problem, labels, team));
      EXPECT_EQ(labels, expected) << threads << " threads, degree " << degree;
    }
  }
}

TEST(split_disconnected, counts_no_edge_of_weight_zero) {
  ThreadTeam team(1);
  const NamedInput data = graph_of({{0, 1}, {1, 2}}, 3, 0.0);
  const MadeProblem made = problem_of(data, {ShiftKind::constant, 1, 0.1, {}}, team);
  std::vector<ClusterId> labels{0, 0, 0};
  EXPECT_TRUE(split_disconnected(std::get<GraphProblem>(made.problem), labels, team));
  EXPECT_EQ(count_distinct(labels), 3U);
}

// Sparse graphs, single cycles: where clusters fall apart when left alone.
TEST(split_disconnected, keeps_what_the_searches_return_connected) {
  ThreadTeam team(2);
  Rng rng(3);
  for (int round = 0; round < 60; ++round) {
    const NamedInput data = planted_graph(15, 25, 3, 2, rng);
    const auto& graph = std::get<SparseMatrix>(data.input.values);
    for (const double constant : {0.05, 0.2}) {
      const MadeProblem made = problem_of(data, {ShiftKind::constant, 1, constant, {}}, team);
      for (const Method method : {Method::multilevel, Method::automatic}) {
        const auto seed = static_cast<std::uint64_t>(round);
        const Solution found =
            found_by(made.problem, options_for(method, Clusters(), seed, 1), team);
        EXPECT_EQ(count_distinct(parts_of(graph, found.labels)), count_distinct(found.labels));
      }
    }
  }
}

}  // namespace
}  // namespace shiftcut

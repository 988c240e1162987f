#include "multilevel/windows.hpp"

#include <gtest/gtest.h>

#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

constexpr std::uint32_t kNodes = 70'000;

// Blocks of 20 nodes of consecutive numbers, and some edges to anywhere.
SparseMatrix blocks(double far, bool weighted, Rng& rng) {
  std::vector<Entry> entries;
  for (std::uint32_t v = 0; v < kNodes; ++v) {
    for (int e = 0; e < 4; ++e) {
      const std::uint32_t u = rng.uniform() < far
                                  ? rng.below(kNodes)
                                  : std::min(kNodes - 1, v / 20 * 20 + rng.below(20));
      if (u != v) {
        const double weight = weighted ? 0.5 + rng.uniform() : 1;
        entries.push_back({v, u, weight});
        entries.push_back({u, v, weight});
      }
    }
  }
  return sparse_from_entries(std::move(entries), kNodes, kNodes);
}

TEST(stretches, are_taken_where_most_edges_are_short) {
  Rng rng(1);
  const SparseMatrix near = blocks(0.2, true, rng);
  const SparseMatrix far = blocks(0.9, true, rng);
  const ShiftOptions shift{ShiftKind::constant, 1, 0.05, {}};
  EXPECT_TRUE(has_short_edges(SparseLevel(GraphProblem(near, shift))));
  EXPECT_FALSE(has_short_edges(SparseLevel(GraphProblem(far, shift))));
}

TEST(stretches, of_a_level_have_the_edges_among_their_nodes) {
  Rng rng(2);
  const SparseMatrix graph = blocks(0.3, true, rng);
  const GraphProblem problem(graph, {ShiftKind::adaptive, 1, 0, {}});
  const SparseLevel level(problem);
  const SparseLevel part = level.stretch(8192, 10'000);
  ASSERT_EQ(part.size(), 10'000U - 8192U);
  for (ObjectId v = 0; v < part.size(); ++v) {
    std::vector<std::pair<ObjectId, double>> wanted;
    level.for_each_edge(v + 8192, [&](ObjectId u, double weight) {
      if (u >= 8192 && u < 10'000) {
        wanted.emplace_back(u - 8192, weight);
      }
    });
    std::vector<std::pair<ObjectId, double>> found;
    part.for_each_edge(v, [&](ObjectId u, double weight) { found.emplace_back(u, weight); });
    ASSERT_EQ(found, wanted);
    EXPECT_EQ(part.nodes().mass[v].degree, level.nodes().mass[v + 8192].degree);
  }
}

TEST(stretches, come_together_to_lower_costs_the_same_on_any_number_of_threads) {
  for (const bool weighted : {false, true}) {
    Rng data_rng(3);
    const SparseMatrix graph = blocks(0.2, weighted, data_rng);
    const GraphProblem problem(graph, {ShiftKind::constant, 1, 0.05, {}});
    const SparseLevel level(problem);
    std::vector<std::vector<ClusterId>> labels;
    for (const int threads : {1, 2, 7}) {
      ThreadTeam team(threads);
      NoLimit limit;
      Rng rng(4);
      labels.push_back(come_together_by_stretches(level, {}, {rng, team, limit.check}).labels);
    }
    EXPECT_EQ(labels[0], labels[1]);
    EXPECT_EQ(labels[0], labels[2]);
    EXPECT_LT(cost_of(level, labels[0]), 0);
    for (ObjectId v = 0; v < kNodes; ++v) {
      EXPECT_EQ(labels[0][v] / 8192, v / 8192);
    }
  }
}

TEST(stretches, keep_to_parts) {
  Rng rng(5);
  const SparseMatrix graph = blocks(0.2, true, rng);
  const GraphProblem problem(graph, {ShiftKind::constant, 1, 0.05, {}});
  std::vector<ClusterId> parts(kNodes);
  for (std::uint32_t v = 0; v < kNodes; ++v) {
    parts[v] = v % 2;
  }
  ThreadTeam team(2);
  NoLimit limit;
  const std::vector<ClusterId> labels =
      come_together_by_stretches(SparseLevel(problem), parts, {rng, team, limit.check}).labels;
  std::vector<ClusterId> part_of(kNodes, kNoCluster);
  for (std::uint32_t v = 0; v < kNodes; ++v) {
    ClusterId& part = part_of[labels[v]];
    part = part == kNoCluster ? parts[v] : part;
    EXPECT_EQ(part, parts[v]);
  }
}

TEST(stretches, lead_to_an_answer_that_no_single_move_improves) {
  Rng rng(6);
  const SparseMatrix graph = blocks(0.2, false, rng);
  const GraphProblem problem(graph, {ShiftKind::constant, 1, 0.05, {}});
  ThreadTeam team(2);
  NoLimit limit;
  const Solution found =
      search(Problem(problem), options_for(Method::multilevel, {}), {}, limit.with(team));
  EXPECT_NEAR(found.cost, problem.cost(found.labels, team), 1e-6);
  std::vector<ClusterId> again = found.labels;
  Rng other(7);
  EXPECT_EQ(descend(Problem(problem), again, {}, {other, team, limit.check}).moves, 0U);
}

}  // namespace
}  // namespace shiftcut

#include "layout/fuzzy_graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

std::map<std::pair<std::uint32_t, std::uint32_t>, float> edges_of(const FuzzyGraph& graph) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, float> edges;
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    for (std::size_t e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      edges[{i, graph.others[e]}] = graph.weights[e];
    }
  }
  return edges;
}

TEST(fuzzy_graph, is_the_union_of_weights_that_fall_with_the_rank) {
  // 0: 1, 2; 1: 0; 2: 1, 0. log2(3) = 1.585 = 1 + 0.585.
  const NeighborTable table{3, 2, {1, 2, 0, kNobody, 1, 0}, {}};
  ThreadTeam team(2);
  const auto edges = edges_of(fuzzy_graph(table, team));
  const auto second = static_cast<float>(std::log2(3) - 1);
  ASSERT_EQ(edges.size(), 6U);
  EXPECT_NEAR(edges.at({0, 1}), 1, 1e-6);
  EXPECT_NEAR(edges.at({1, 0}), 1, 1e-6);
  EXPECT_NEAR(edges.at({0, 2}), second + second - second * second, 1e-6);
  EXPECT_NEAR(edges.at({2, 1}), 1, 1e-6);
}

TEST(fuzzy_graph, is_symmetric_and_within_bounds) {
  Rng rng(1);
  const std::size_t n = 200;
  std::vector<Entry> entries;
  for (int e = 0; e < 4000; ++e) {  // about 40 edges a node, more than are kept
    const std::uint32_t a = rng.below(n);
    const std::uint32_t b = rng.below(n);
    const double weight = rng.uniform() - 0.1;
    entries.push_back({a, b, weight});
    entries.push_back({b, a, weight});
  }
  const SparseMatrix given = sparse_from_entries(entries, n, n);
  ThreadTeam one(1);
  ThreadTeam five(5);
  const FuzzyGraph graph = fuzzy_graph(given, one);
  const auto edges = edges_of(graph);
  for (const auto& [ends, weight] : edges) {
    EXPECT_EQ(edges.at({ends.second, ends.first}), weight);
    EXPECT_NE(ends.first, ends.second);
    EXPECT_GT(weight, 0);
    EXPECT_LE(weight, 1);
  }
  const FuzzyGraph again = fuzzy_graph(given, five);
  EXPECT_EQ(graph.others, again.others);
  EXPECT_EQ(graph.weights, again.weights);
}

}  // namespace
}  // namespace shiftcut

#include "neighbors/neighbor_lists.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "neighbors/support.hpp"

namespace shiftcut {
namespace {

using neighbors_testing::rows_of;
using testing_support::grouped_rows;

double entry(const SparseMatrix& graph, std::size_t i, std::size_t j) {
  for (auto e = static_cast<std::size_t>(graph.offsets[i]);
       e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
    if (graph.columns[e] == j) {
      return graph.values[e];
    }
  }
  return 0;
}

bool has(const NeighborLists& lists, std::size_t i, std::size_t j) {
  const auto own = lists.of(i);
  return std::find(own.begin(), own.end(), j) != own.end();
}

double shared(const NeighborLists& lists, std::size_t i, std::size_t j) {
  std::set<std::size_t> a{i};
  std::set<std::size_t> b{j};
  a.insert(lists.of(i).begin(), lists.of(i).end());
  b.insert(lists.of(j).begin(), lists.of(j).end());
  std::size_t both = 0;
  for (const std::size_t x : a) {
    both += b.count(x);
  }
  return static_cast<double>(both) / static_cast<double>(a.size() + b.size() - both);
}

TEST(neighbor_graph, weights_are_those_of_the_definition) {
  Rng rng(1);
  ThreadTeam team(2);
  const std::size_t n = 60;
  const std::size_t d = 2;
  const std::vector<double> values = grouped_rows(n, d, 3, rng);
  for (const std::size_t k : {1U, 4U, 15U, 16U, 20U, 59U}) {
    const NeighborLists lists = nearest_neighbors(rows_of(values, n, d), k, team, Control{});
    const SparseMatrix binary = neighbor_graph(lists, Weights::binary, team);
    const SparseMatrix overlaps = neighbor_graph(lists, Weights::shared, team);
    const SparseMatrix gaussian = neighbor_graph(lists, Weights::gaussian, team);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const bool joined = i != j && (has(lists, i, j) || has(lists, j, i));
        const double squared = squared_distance(&values[i * d], &values[j * d], d);
        const double s = std::sqrt(lists.squared[i * k + k - 1] * lists.squared[j * k + k - 1]);
        ASSERT_EQ(entry(binary, i, j), joined ? 1 : 0);
        ASSERT_DOUBLE_EQ(entry(overlaps, i, j), joined ? shared(lists, i, j) : 0);
        ASSERT_NEAR(entry(gaussian, i, j), joined ? std::exp(-squared / s) : 0, 1e-12);
      }
    }
  }
}

TEST(neighbor_graph, is_symmetric_with_ascending_columns_and_no_loops) {
  Rng rng(2);
  ThreadTeam team(2);
  std::vector<double> values = grouped_rows(400, 3, 5, rng);
  std::fill_n(values.begin(), 300, 1.0);  // a hundred equal rows
  const NeighborLists lists = nearest_neighbors(rows_of(values, 400, 3), 7, team, Control{});
  for (const Weights weights : {Weights::shared, Weights::binary, Weights::gaussian}) {
    const SparseMatrix graph = neighbor_graph(lists, weights, team);
    ASSERT_EQ(graph.rows, 400U);
    ASSERT_EQ(graph.columns_count, 400U);
    for (std::size_t i = 0; i < 400; ++i) {
      for (auto e = static_cast<std::size_t>(graph.offsets[i]);
           e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
        const std::size_t j = graph.columns[e];
        ASSERT_NE(i, j);
        ASSERT_TRUE(e == static_cast<std::size_t>(graph.offsets[i]) || graph.columns[e - 1] < j);
        ASSERT_EQ(graph.values[e], entry(graph, j, i));
        ASSERT_GE(graph.values[e], 0);
        ASSERT_LE(graph.values[e], 1);
      }
    }
  }
}

TEST(neighbor_graph, equal_rows_are_joined_evenly_and_fully) {
  ThreadTeam team(1);
  const NeighborLists lists =
      nearest_neighbors(rows_of(std::vector<double>(50, 3.0), 50, 1), 4, team, Control{});
  const SparseMatrix graph = neighbor_graph(lists, Weights::gaussian, team);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(graph.offsets[i + 1] - graph.offsets[i], 8);
  }
  EXPECT_EQ(graph.values, std::vector<double>(400, 1.0));
}

TEST(neighbor_graph, an_object_without_a_scale_takes_that_of_the_other_end) {
  ThreadTeam team(1);
  const NeighborLists lists = nearest_neighbors(rows_of({0, 0, 0, 2}, 4, 1), 2, team, Control{});
  const SparseMatrix graph = neighbor_graph(lists, Weights::gaussian, team);
  EXPECT_EQ(entry(graph, 0, 1), 1);
  EXPECT_DOUBLE_EQ(entry(graph, 3, 0), std::exp(-1));
  EXPECT_DOUBLE_EQ(entry(graph, 0, 3), std::exp(-1));
}

TEST(neighbor_graph, of_one_object_has_no_edges) {
  ThreadTeam team(1);
  const NeighborLists lists = nearest_neighbors(rows_of({1, 2}, 1, 2), 10, team, Control{});
  for (const Weights weights : {Weights::shared, Weights::binary, Weights::gaussian}) {
    const SparseMatrix graph = neighbor_graph(lists, weights, team);
    EXPECT_EQ(graph.rows, 1U);
    EXPECT_EQ(graph.offsets, (std::vector<std::int64_t>{0, 0}));
  }
}

}  // namespace
}  // namespace shiftcut

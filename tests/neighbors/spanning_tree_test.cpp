#include "neighbors/trees/spanning_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "core/rng.hpp"
#include "neighbors/nearest_neighbors.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {
namespace {

constexpr std::size_t kColumns = 3;
constexpr std::size_t kNeighbors = 4;

// Many small groups, `spread` apart, so that the neighbour graph falls into components.
DenseArray small_groups(std::size_t rows, double spread, std::uint64_t seed) {
  Rng rng(seed);
  const auto coordinate = [&] { return static_cast<double>(rng.below(1u << 20)) / (1u << 20); };
  std::vector<double> values;
  std::vector<double> centre(kColumns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < kColumns; ++j) {
      centre[j] = i % 6 == 0 ? spread * coordinate() : centre[j];
      values.push_back(centre[j] + coordinate());
    }
  }
  return DenseArray::own(std::move(values), rows, kColumns);
}

NeighborDistances distances_of(const FeatureRows& rows, ThreadTeam& team, bool by_rows) {
  NeighborLists lists = nearest_neighbors(rows, kNeighbors, team, Control{});
  NeighborDistances distances;
  distances.table = std::make_shared<const NeighborTable>(
      NeighborTable{lists.n, lists.k, std::move(lists.ids), {}});
  distances.squared = std::move(lists.squared);
  if (by_rows) {
    distances.rows = std::make_shared<const FeatureRows>(rows);
  } else {
    distances.between = [rows](ObjectId i, ObjectId j) {
      std::vector<double> pair(2 * kColumns);
      rows.row(i, pair.data());
      rows.row(j, pair.data() + kColumns);
      return squared_distance(pair.data(), pair.data() + kColumns, kColumns);
    };
  }
  return distances;
}

TEST(SpanningTree, ComponentsAreJoinedByProductsOfRowsAsByAllPairs) {
  for (const double spread : {5.0, 1e3, 1e9}) {
    for (const int threads : {1, 3}) {
      ThreadTeam team(threads);
      const DenseArray data = small_groups(1500, spread, 7);
      const FeatureRows rows =
          FeatureRows::scaled(data, scaling_of(data, Scale::none, "rows", team));
      for (const std::size_t reach : {1, 3}) {
        const auto by_rows = spanning_tree(distances_of(rows, team, true), reach, {}, 1500, team);
        const auto by_pairs = spanning_tree(distances_of(rows, team, false), reach, {}, 1500, team);
        ASSERT_EQ(by_rows.size(), 1499);
        ASSERT_EQ(by_pairs.size(), 1499);
        for (std::size_t e = 0; e < by_rows.size(); ++e) {
          ASSERT_EQ(by_rows[e].a, by_pairs[e].a);
          ASSERT_EQ(by_rows[e].b, by_pairs[e].b);
          ASSERT_EQ(by_rows[e].length, by_pairs[e].length);
        }
      }
    }
  }
}

// The tree by Kruskal's algorithm with all edges sorted; nodes of several objects and many ties.
std::vector<TreeEdge> plain_tree(const NeighborDistances& distances,
                                 const std::vector<ClusterId>& node_of) {
  const NeighborTable& table = *distances.table;
  std::vector<TreeEdge> edges;
  for (std::size_t i = 0; i < table.objects; ++i) {
    for (std::size_t at = i * table.places; at < (i + 1) * table.places; ++at) {
      const ClusterId a = node_of[i];
      const ClusterId b = node_of[table.ids[at]];
      const double d = std::sqrt(distances.squared[at]);
      edges.push_back({std::min(a, b), std::max(a, b), d + 1e-7 * d});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const TreeEdge& x, const TreeEdge& y) {
    return std::tuple(x.length, x.a, x.b) < std::tuple(y.length, y.a, y.b);
  });
  std::vector<ClusterId> label(node_of.size());
  std::iota(label.begin(), label.end(), ClusterId{0});
  std::vector<TreeEdge> tree;
  for (const TreeEdge& edge : edges) {
    const ClusterId from = label[edge.a];
    const ClusterId to = label[edge.b];
    if (from != to) {
      tree.push_back(edge);
      std::replace(label.begin(), label.end(), from, to);
    }
  }
  std::reverse(tree.begin(), tree.end());
  return tree;
}

TEST(SpanningTree, IsThatOfAllEdgesInOrder) {
  Rng rng(3);
  for (const std::size_t n : {40U, 700U}) {
    for (const std::uint32_t values : {8U, 1U << 20}) {  // with ties and without
      std::vector<double> table;
      for (std::size_t i = 0; i < n * 2; ++i) {
        table.push_back(rng.below(values));
      }
      ThreadTeam team(2);
      const DenseArray data = DenseArray::own(std::move(table), n, 2);
      const FeatureRows rows =
          FeatureRows::scaled(data, scaling_of(data, Scale::none, "rows", team));
      std::vector<ClusterId> node_of(n);
      const std::size_t nodes = n / 3;
      for (std::size_t i = 0; i < n; ++i) {
        node_of[i] =
            static_cast<ClusterId>(i < nodes ? i : rng.below(static_cast<std::uint32_t>(nodes)));
      }
      const NeighborDistances distances = distances_of(rows, team, true);
      const auto expected = plain_tree(distances, node_of);
      const auto tree = spanning_tree(distances, 1, node_of, nodes, team);
      ASSERT_EQ(expected.size(), nodes - 1);  // nodes are spread over the table, so none is apart
      ASSERT_EQ(tree.size(), nodes - 1);
      for (std::size_t e = 0; e < tree.size(); ++e) {
        ASSERT_EQ(tree[e].length, expected[e].length);
        ASSERT_EQ(tree[e].a, expected[e].a);
        ASSERT_EQ(tree[e].b, expected[e].b);
      }
    }
  }
}

}  // namespace
}  // namespace shiftcut

#include "neighbors/trees/spanning_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>
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

}  // namespace
}  // namespace shiftcut

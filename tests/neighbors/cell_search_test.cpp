#include "neighbors/cells/cell_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "neighbors/support.hpp"

namespace shiftcut {
namespace {

using neighbors_testing::rows_of;
using testing_support::grouped_rows;
using testing_support::normal;

NeighborLists by_cells(const FeatureRows& rows, std::size_t k) {
  ThreadTeam team(2);
  return nearest_neighbors(rows, k, team, Control{}, NeighborSearch::by_cells);
}

NeighborLists all_pairs(const FeatureRows& rows, std::size_t k) {
  ThreadTeam team(2);
  return nearest_neighbors(rows, k, team, Control{}, NeighborSearch::all_pairs);
}

// The part of the lists that is no farther than the true k-th nearest: ties do not matter.
double recall_by_distance(const NeighborLists& found, const NeighborLists& exact) {
  std::size_t hits = 0;
  for (std::size_t e = 0; e < exact.squared.size(); ++e) {
    const double last = exact.squared[e / exact.k * exact.k + exact.k - 1];
    hits += found.squared[e] <= last ? 1 : 0;
  }
  return static_cast<double>(hits) / static_cast<double>(exact.squared.size());
}

// Full lists of different others, nearest first, at their true distances.
void expect_lists(const NeighborLists& lists, const FeatureRows& rows, std::size_t k) {
  const std::size_t n = rows.size();
  const std::size_t d = rows.length();
  ASSERT_EQ(lists.n, n);
  ASSERT_EQ(lists.k, std::min(k, n - 1));
  std::vector<double> row(2 * d);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(lists.of(i).size(), lists.k);
    std::set<ObjectId> seen{static_cast<ObjectId>(i)};
    rows.row(i, row.data());
    for (std::size_t e = 0; e < lists.k; ++e) {
      const ObjectId j = lists.of(i)[e];
      ASSERT_LT(j, n);
      ASSERT_TRUE(seen.insert(j).second) << "object " << i << " has " << j << " twice";
      rows.row(j, row.data() + d);
      const double squared = lists.squared[i * lists.k + e];
      ASSERT_EQ(squared, squared_distance(row.data(), row.data() + d, d));
      ASSERT_TRUE(e == 0 || lists.squared[i * lists.k + e - 1] <= squared);
    }
  }
}

struct Cloud {
  std::string name;
  double least;  // recall
  std::size_t n;
  std::size_t d;
  std::vector<double> values;
};

std::vector<Cloud> clouds(Rng& rng) {
  std::vector<Cloud> all;
  const auto add = [&](const std::string& name, double least, std::size_t n, std::size_t d,
                       auto&& value) {
    Cloud cloud{name, least, n, d, std::vector<double>(n * d)};
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        cloud.values[i * d + j] = value(i, j);
      }
    }
    all.push_back(std::move(cloud));
  };
  all.push_back({"few groups", 0.99, 4000, 8, grouped_rows(4000, 8, 5, rng)});
  all.push_back({"many groups", 0.98, 4000, 16, grouped_rows(4000, 16, 300, rng)});
  all.push_back({"one group in 8 dimensions", 0.985, 4000, 8, grouped_rows(4000, 8, 1, rng)});
  // The hardest there is: no row is much nearer than any other.
  all.push_back({"one group in 24 dimensions", 0.975, 4000, 24, grouped_rows(4000, 24, 1, rng)});
  add("uniform plane", 0.99, 5000, 2, [&](std::size_t, std::size_t) { return rng.uniform(); });
  add("line", 0.99, 5000, 1, [&](std::size_t, std::size_t) { return normal(rng); });
  add("spiral", 0.99, 4000, 3, [&](std::size_t i, std::size_t j) {
    const double t = 0.01 * static_cast<double>(i);
    return (j == 0 ? t * std::cos(t) : j == 1 ? t * std::sin(t) : t) + 0.05 * normal(rng);
  });
  add("far pieces", 0.99, 4000, 4, [&](std::size_t i, std::size_t j) {
    return (j == 0 ? 1e4 * static_cast<double>(i % 7) : 0.0) + normal(rng);
  });
  add("heavy tails", 0.99, 4000, 6,
      [&](std::size_t, std::size_t) { return std::pow(normal(rng), 3) / (0.01 + rng.uniform()); });
  return all;
}

TEST(cell_search, finds_nearly_all_of_the_nearest) {
  Rng rng(1);
  for (const Cloud& cloud : clouds(rng)) {
    const FeatureRows rows = rows_of(cloud.values, cloud.n, cloud.d);
    for (const std::size_t k : {1U, 10U, 40U}) {
      const NeighborLists found = by_cells(rows, k);
      expect_lists(found, rows, k);
      const double recall = recall_by_distance(found, all_pairs(rows, k));
      RecordProperty(cloud.name + " " + std::to_string(k), std::to_string(recall));
      EXPECT_GE(recall, cloud.least) << cloud.name << ", k " << k;
    }
  }
}

TEST(cell_search, of_copies_finds_all_copies_first) {
  Rng rng(2);
  std::vector<double> values = grouped_rows(3000, 5, 20, rng);
  for (std::size_t i = 0; i < 3000; ++i) {
    if (i % 3 != 0) {  // some rows stand a thousand times, some thrice
      const std::size_t from = i % 2 == 0 ? 0 : i - i % 3;
      std::copy_n(&values[from * 5], 5, &values[i * 5]);
    }
  }
  const FeatureRows rows = rows_of(values, 3000, 5);
  const NeighborLists found = by_cells(rows, 8);
  const NeighborLists exact = all_pairs(rows, 8);
  expect_lists(found, rows, 8);
  for (std::size_t e = 0; e < exact.squared.size(); ++e) {
    if (exact.squared[e] == 0) {
      ASSERT_EQ(found.squared[e], 0);
      ASSERT_EQ(found.ids[e], exact.ids[e]);
    }
  }
  EXPECT_GE(recall_by_distance(found, exact), 0.99);
}

TEST(cell_search, of_few_rows_or_many_neighbors_gives_full_lists) {
  Rng rng(3);
  for (const std::size_t n : {2U, 3U, 10U, 50U, 200U}) {
    const FeatureRows rows = rows_of(grouped_rows(n, 3, 2, rng), n, 3);
    for (const std::size_t k : {std::size_t{1}, n / 2 + 1, n, n + 5}) {
      expect_lists(by_cells(rows, k), rows, k);
    }
  }
}

TEST(cell_search, of_rows_that_float32_can_not_hold_gives_true_distances) {
  Rng rng(4);
  for (const double unit : {1e-150, 1e150}) {
    std::vector<double> values = grouped_rows(1500, 4, 6, rng);
    for (double& value : values) {
      value *= unit;
    }
    const FeatureRows rows = rows_of(values, 1500, 4);
    const NeighborLists found = by_cells(rows, 6);
    expect_lists(found, rows, 6);
    EXPECT_GE(recall_by_distance(found, all_pairs(rows, 6)), 0.99) << unit;
  }
  std::vector<double> offset = grouped_rows(1500, 4, 6, rng);
  for (double& value : offset) {
    value = 1e6 + 1e-3 * value;
  }
  const FeatureRows rows = rows_of(offset, 1500, 4);
  EXPECT_GE(recall_by_distance(by_cells(rows, 6), all_pairs(rows, 6)), 0.99);
}

TEST(cell_search, of_integers_with_many_ties_is_as_near) {
  Rng rng(5);
  std::vector<double> values(3000 * 4);
  for (double& value : values) {
    value = rng.below(6);
  }
  const FeatureRows rows = rows_of(values, 3000, 4);
  const NeighborLists found = by_cells(rows, 10);
  expect_lists(found, rows, 10);
  EXPECT_GE(recall_by_distance(found, all_pairs(rows, 10)), 0.99);
}

}  // namespace
}  // namespace shiftcut

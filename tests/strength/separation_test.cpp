#include "strength/separation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "strength/null_model.hpp"
#include "strength/tree_cuts.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

using Labels = std::vector<ClusterId>;
using Points = std::vector<std::vector<double>>;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    sum += (a[j] - b[j]) * (a[j] - b[j]);
  }
  return sum;
}

NeighborDistances neighbors_of(const Points& points, std::size_t k) {
  auto table = std::make_shared<NeighborTable>();
  table->objects = points.size();
  table->places = k;
  NeighborDistances distances;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<std::pair<double, std::uint32_t>> others;
    for (std::uint32_t j = 0; j < points.size(); ++j) {
      if (j != i) {
        others.emplace_back(squared_distance(points[i], points[j]), j);
      }
    }
    std::ranges::sort(others);
    for (std::size_t p = 0; p < k; ++p) {
      table->ids.push_back(others[p].second);
      distances.squared.push_back(others[p].first);
    }
  }
  distances.table = std::move(table);
  distances.between = [points](ObjectId a, ObjectId b) {
    return squared_distance(points[a], points[b]);
  };
  distances.columns = points.front().size();
  return distances;
}

double normal(Rng& rng) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) {
    sum += rng.uniform();
  }
  return sum;
}

// Two round groups whose centres are `apart` deviations from each other.
Points two_groups(std::size_t each, double apart, std::size_t columns, Rng& rng) {
  Points points;
  for (std::size_t i = 0; i < 2 * each; ++i) {
    std::vector<double> row(columns);
    for (double& x : row) {
      x = normal(rng);
    }
    row[0] += i < each ? 0.0 : apart;
    points.push_back(std::move(row));
  }
  return points;
}

Labels halves(std::size_t each) {
  Labels labels(2 * each, 0);
  std::fill(labels.begin() + static_cast<std::ptrdiff_t>(each), labels.end(), 1);
  return labels;
}

std::vector<Volume> alike(std::size_t n) { return std::vector<Volume>(n, Volume{1, 1}); }

// ---- The density where clusters meet ----

TEST(density_dip, a_worked_example_on_a_line) {
  // Distances to the nearest: 1, 1, 1.5, 1.5, 1 and 1; the third is nearest to the fourth.
  const Points points{{0}, {1}, {2.5}, {4}, {5.5}, {6.5}};
  NeighborDistances distances = neighbors_of(points, 1);
  const double log_radius = std::log(1.5);
  const double expected = log_radius - log_radius / 3;  // both clusters have radii 1, 1, 1.5
  double cut = 0;
  const Labels labels = halves(3);
  for (std::size_t i = 0; i < 6; ++i) {
    cut += labels[i] != labels[distances.table->ids[i]] ? 1 : 0;
  }
  ASSERT_GT(cut, 0);
  const double found = density_dip(distances, labels, 1);
  EXPECT_GT(found, 0);
  EXPECT_LE(found, expected + 1e-12);
}

TEST(density_dip, is_deep_between_groups_and_not_within_one) {
  Rng rng(1);
  for (const std::size_t columns : {2U, 3U, 5U}) {
    const double dimension = static_cast<double>(columns);
    const NoiseSpace space{600, dimension};
    const Points apart = two_groups(300, 6, columns, rng);
    EXPECT_GT(density_dip(neighbors_of(apart, 10), halves(300), dimension), noise_dip(space));
    const Points one = two_groups(300, 0, columns, rng);
    Labels sides(600);
    for (std::size_t i = 0; i < 600; ++i) {
      sides[i] = one[i][0] > 0 ? 1 : 0;
    }
    EXPECT_LT(density_dip(neighbors_of(one, 10), sides, dimension), noise_dip(space));
  }
}

TEST(density_dip, is_infinite_where_no_neighbours_are_parted) {
  Rng rng(2);
  const NeighborDistances distances = neighbors_of(two_groups(20, 100, 2, rng), 5);
  EXPECT_EQ(density_dip(distances, halves(20), 2), kUnbounded);
  EXPECT_EQ(density_dip(distances, Labels(40, 0), 2), kUnbounded);
}

TEST(density_dip, neither_scale_nor_labels_nor_order_change_it) {
  Rng rng(3);
  const Points points = two_groups(60, 3, 2, rng);
  const Labels labels = halves(60);
  const double dip = density_dip(neighbors_of(points, 8), labels, 2);
  Points scaled = points;
  for (std::vector<double>& row : scaled) {
    for (double& x : row) {
      x = 1000 * x + 7;
    }
  }
  EXPECT_NEAR(density_dip(neighbors_of(scaled, 8), labels, 2), dip, 1e-9);
  const Points backwards(points.rbegin(), points.rend());
  EXPECT_NEAR(density_dip(neighbors_of(backwards, 8), labels, 2), dip, 1e-9);
}

TEST(density_dip, repeated_distances_of_zero_are_no_obstacle) {
  const Points points{{0}, {0}, {0}, {1}, {1}, {1}};
  EXPECT_TRUE(std::isfinite(density_dip(neighbors_of(points, 3), halves(3), 1)));
}

// ---- Gaps between few objects ----

TreeGap gap_of(const Points& points, std::span<const Volume> nodes, std::size_t most_points = 0) {
  ThreadTeam team(1);
  const NeighborDistances distances =
      neighbors_of(points, std::min<std::size_t>(points.size() - 1, 10));
  return widest_gap(spanning_tree(distances, 1, {}, points.size(), team), nodes, most_points);
}

TEST(widest_gap, four_rows_in_two_pairs) {
  const TreeGap gap = gap_of({{0, 0}, {0, 1}, {10, 0}, {10, 1}}, alike(4));
  EXPECT_EQ(gap.clusters, 2U);
  EXPECT_NEAR(gap.ratio, 10, 1e-6);
  EXPECT_GT(gap.ratio, noise_gap(2));
}

TEST(widest_gap, rows_on_two_lines) {
  Points points;
  for (int i = 0; i < 10; ++i) {
    points.push_back({static_cast<double>(i), 0});
    points.push_back({static_cast<double>(i), 5});
  }
  EXPECT_EQ(gap_of(points, alike(20)).clusters, 2U);
  EXPECT_NEAR(gap_of(points, alike(20)).ratio, 5, 1e-6);
}

TEST(widest_gap, a_single_object_is_no_cluster) {
  EXPECT_EQ(gap_of({{0}, {1}, {2}, {3.1}, {50}}, alike(5)).clusters, 1U);
  std::vector<Volume> nodes = alike(5);
  nodes[4].size = 2;
  EXPECT_EQ(gap_of({{0}, {1}, {2}, {3.1}, {50}}, nodes).clusters, 2U);
}

TEST(widest_gap, points_that_all_repeat_are_clusters) {
  const std::vector<Volume> nodes(4, Volume{100, 1});
  const Points points{{0, 0}, {1, 3}, {5, 1}, {9, 9}};
  EXPECT_EQ(gap_of(points, nodes, 8).clusters, 4U);
  EXPECT_EQ(gap_of(points, nodes, 8).ratio, kUnbounded);
  EXPECT_LT(gap_of(points, nodes, 3).ratio, kUnbounded);
}

TEST(widest_gap, few_objects_without_groups_stay_below_the_level) {
  Rng rng(5);
  int above = 0;
  for (int round = 0; round < 200; ++round) {
    Points points;
    const std::size_t n = 6 + rng.below(30);
    for (std::size_t i = 0; i < n; ++i) {
      points.push_back({rng.uniform(), rng.uniform(), rng.uniform()});
    }
    above += gap_of(points, alike(n)).ratio > noise_gap(3) ? 1 : 0;
  }
  EXPECT_LE(above, 10);
}

// ---- Cuts of trees ----

std::vector<TreeEdge> chain(const std::vector<double>& lengths) {
  std::vector<TreeEdge> tree;
  for (ObjectId i = 0; i < lengths.size(); ++i) {
    tree.push_back({i, i + 1, lengths[i]});
  }
  std::ranges::stable_sort(tree, std::greater<>(), &TreeEdge::length);
  return tree;
}

TEST(tree_cuts, the_longest_edges_go_first) {
  const Labels labels = cut_tree(chain({1, 9, 1, 5, 1}), alike(6), 3, 1);
  Labels compact = labels;
  EXPECT_EQ(compact_labels(compact), 3U);
  EXPECT_EQ(labels[0], labels[1]);
  EXPECT_NE(labels[1], labels[2]);
  EXPECT_EQ(labels[2], labels[3]);
  EXPECT_NE(labels[3], labels[4]);
}

TEST(tree_cuts, pieces_that_would_be_too_light_stay) {
  Rng rng(6);
  for (int round = 0; round < 30; ++round) {
    std::vector<double> lengths(29);
    for (double& length : lengths) {
      length = rng.uniform();
    }
    std::vector<Volume> nodes = alike(30);
    for (Volume& node : nodes) {
      node.size = 1 + rng.below(3);
    }
    const double least = 1 + rng.below(10);
    const std::size_t clusters = 1 + rng.below(6);
    Labels labels = cut_tree(chain(lengths), nodes, clusters, least);
    EXPECT_LE(compact_labels(labels), clusters);
    std::vector<double> weight(30, 0.0);
    for (std::size_t v = 0; v < 30; ++v) {
      weight[labels[v]] += nodes[v].size;
    }
    std::erase(weight, 0.0);
    EXPECT_GE(*std::ranges::min_element(weight), std::min(least, 1.0));
    if (weight.size() > 1) {
      EXPECT_GE(*std::ranges::min_element(weight), least);
    }
    // Pieces of a chain are intervals.
    std::size_t changes = 0;
    for (std::size_t v = 1; v < 30; ++v) {
      changes += labels[v] != labels[v - 1] ? 1 : 0;
    }
    EXPECT_EQ(changes + 1, weight.size());
  }
}

TEST(tree_cuts, one_cluster_needs_no_cut) {
  Labels labels = cut_tree(chain({3, 2, 1}), alike(4), 1, 0);
  EXPECT_EQ(compact_labels(labels), 1U);
}

// ---- Levels of noise ----

TEST(null_model, levels_fall_with_objects_and_dimension) {
  for (const double n : {30.0, 100.0, 300.0, 1000.0, 10000.0, 1e6}) {
    for (double d = 1; d < 12; d += 0.5) {
      EXPECT_GE(noise_plateau({n, d}), noise_plateau({n, d + 0.5}));
      EXPECT_GE(noise_dip({n, d}), noise_dip({n, d + 0.5}));
      EXPECT_GT(noise_score({n, d}, 2), noise_score({n, d}, 3));
    }
  }
  EXPECT_GT(noise_plateau({100, 2}), noise_plateau({1000, 2}));
  EXPECT_EQ(noise_plateau({1e7, 2}), noise_plateau({1e6, 2}));
  EXPECT_EQ(noise_plateau({5, 2}), noise_plateau({20, 2}));
}

TEST(null_model, the_intrinsic_dimension_is_that_of_the_surface) {
  Rng rng(7);
  Points plane;
  Points line;
  for (int i = 0; i < 800; ++i) {
    const double a = rng.uniform();
    const double b = rng.uniform();
    plane.push_back({a, b, a + b});
    line.push_back({a, 2 * a, -a});
  }
  EXPECT_NEAR(intrinsic_dimension(neighbors_of(plane, 10)), 2, 0.3);
  EXPECT_NEAR(intrinsic_dimension(neighbors_of(line, 10)), 1, 0.2);
}

// Normal rows whose columns have these deviations.
FeatureRows normal_rows(const std::vector<double>& deviations, std::size_t rows, Rng& rng) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rows; ++i) {
    for (const double deviation : deviations) {
      values.push_back(deviation * normal(rng));
    }
  }
  return FeatureRows::as_given(DenseArray::own(std::move(values), rows, deviations.size()));
}

TEST(null_model, the_spread_is_the_number_of_columns_or_that_of_the_wide_ones) {
  Rng rng(8);
  EXPECT_NEAR(spread_dimension(normal_rows({1}, 500, rng)), 1, 1e-9);
  EXPECT_NEAR(spread_dimension(normal_rows({1, 1, 1, 1}, 2000, rng)), 4, 0.5);
  EXPECT_NEAR(spread_dimension(normal_rows({100, 1, 1, 1}, 500, rng)), 1, 0.01);
  EXPECT_NEAR(spread_dimension(normal_rows({100, 100, 1, 1}, 2000, rng)), 2, 0.2);
  const double participation = 2.1 * 2.1 / (1 + 1.0 + 0.01);
  EXPECT_NEAR(spread_dimension(normal_rows({1, 1, std::sqrt(0.1)}, 20000, rng)),
              (participation + 2.1) / 2, 0.15);
}

TEST(null_model, the_spread_does_not_depend_on_units) {
  const auto spread_at = [](double unit) {
    Rng rng(9);
    return spread_dimension(normal_rows({unit, 2 * unit, 4 * unit}, 100, rng));
  };
  EXPECT_NEAR(spread_at(1e150), spread_at(1), 1e-9);
  EXPECT_NEAR(spread_at(1e-150), spread_at(1), 1e-9);
  Rng rng(10);
  EXPECT_EQ(spread_dimension(normal_rows({0, 0}, 10, rng)), 0);
}

TEST(null_model, few_objects_have_levels_of_their_own_and_no_dip) {
  const NoiseSpace few{12, 2, true};
  EXPECT_GT(noise_plateau(few), noise_plateau({12, 2}));
  EXPECT_GT(noise_plateau(few), noise_plateau({30, 2, true}));
  EXPECT_EQ(noise_dip(few), kInfinity);
}

}  // namespace
}  // namespace shiftcut

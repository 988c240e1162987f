#include "strength/path_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "shiftcut/metrics.hpp"
#include "strength/vote.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// By the formulas of shift_path.hpp, from a full matrix.
double plain_criterion(const plain::Matrix& x, const std::vector<ClusterId>& labels, double asked) {
  std::vector<double> volume(labels.size() + 1, 0.0);
  std::vector<double> leaving(labels.size() + 1, 0.0);
  double all = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      all += x[i][j];
      volume[labels[i]] += x[i][j];
      leaving[labels[i]] += labels[i] == labels[j] ? 0.0 : x[i][j];
    }
  }
  double product = 1;
  double same = 0;
  double found = 0;
  for (std::size_t k = 0; k < volume.size(); ++k) {
    if (volume[k] > 0) {
      found += 1;
      product *= leaving[k] / volume[k] + 1e-3;
      same += volume[k] * volume[k] / (all * all);
    }
  }
  const double evenness = (1 - same) / (1 - 1 / asked);
  const double missing = 1 + 10 * std::max(0.0, asked - found) / asked;
  return std::pow(product, 1 / found) / (evenness * evenness) * missing;
}

plain::Matrix weights_of(const SparseMatrix& graph) {
  plain::Matrix x(graph.rows, std::vector<double>(graph.rows, 0.0));
  for (ObjectId i = 0; i < graph.rows; ++i) {
    for (auto e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      x[i][graph.columns[at]] += graph.values[at];
    }
  }
  return x;
}

const SparseMatrix& graph_in(const NamedInput& data) {
  return std::get<SparseMatrix>(data.input.values);
}

GraphProblem adaptive_graph(const NamedInput& data) {
  return {graph_in(data), {ShiftKind::adaptive, 1, 0, {}}};
}

std::vector<PathPoint> points_with(const std::vector<std::size_t>& clusters) {
  std::vector<PathPoint> points;
  double strength = 8;
  for (const std::size_t count : clusters) {
    PathPoint point;
    point.strength = strength;
    point.clusters = count;
    strength /= 2;
    points.push_back(point);
  }
  return points;
}

TEST(path_rule, two_triangles_leak_through_their_bridge) {
  const NamedInput data = graph_of({{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {2, 3}}, 6);
  const GraphProblem problem = adaptive_graph(data);
  const SparseLevel level(problem);
  const std::vector<ClusterId> halves{0, 0, 0, 1, 1, 1};
  EXPECT_NEAR(conductance_criterion(level, halves, 2), 1.0 / 7 + 1e-3, 1e-12);
  // Of three clusters asked for one is missing, and two even ones are less even than three.
  const double evenness = (1 - 0.5) / (1 - 1.0 / 3);
  const double expected = (1.0 / 7 + 1e-3) / (evenness * evenness) * (1 + 10.0 / 3);
  EXPECT_NEAR(conductance_criterion(level, halves, 3), expected, 1e-12);
  EXPECT_EQ(conductance_criterion(level, std::vector<ClusterId>(6, 0), 2), kInfinity);
  EXPECT_EQ(conductance_criterion(level, std::vector<ClusterId>(6, 4), 2), kInfinity);
  EXPECT_GT(conductance_criterion(level, std::vector<ClusterId>{0, 0, 1, 1, 1, 1}, 2),
            conductance_criterion(level, halves, 2));
}

TEST(path_rule, the_criterion_is_that_of_the_plain_sums) {
  ThreadTeam team(1);
  Rng rng(1);
  for (int round = 0; round < 20; ++round) {
    const NamedInput data{"graph", graph(5 + rng.below(40), 5, false, round % 2 == 0, rng), {}};
    const GraphProblem problem = adaptive_graph(data);
    const SparseLevel level(problem);
    const plain::Matrix x = weights_of(graph_in(data));
    for (const std::size_t clusters : {2U, 3U, 5U}) {
      std::vector<ClusterId> labels = random_labels(level.size(), clusters, rng);
      labels[0] = 0;
      labels[1] = 1;
      const double found = conductance_criterion(level, labels, clusters);
      const double expected = plain_criterion(x, labels, static_cast<double>(clusters));
      if (std::isfinite(found)) {  // else the edges are all in one cluster
        EXPECT_NEAR(found, expected, 1e-9 * expected);
      }
      // A contracted level judges the same.
      std::vector<ClusterId> pairs(level.size());
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        pairs[i] = labels[i] * 3 + static_cast<ClusterId>(i % 3);
      }
      const std::size_t count = compact_labels(pairs);
      std::vector<ClusterId> coarse(count);
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        coarse[pairs[i]] = labels[i];
      }
      const double contracted =
          conductance_criterion(contract(level, pairs, count, team), coarse, clusters);
      EXPECT_TRUE(contracted == found || std::abs(contracted - found) <= 1e-9 * found);
    }
  }
}

TEST(path_rule, agreement_is_the_adjusted_rand_index) {
  ThreadTeam team(1);
  Rng rng(2);
  for (int round = 0; round < 30; ++round) {
    const NamedInput data{"graph", graph(2 + rng.below(50), 4, false, false, rng), {}};
    const GraphProblem problem = adaptive_graph(data);
    const SparseLevel level(problem);
    const auto a = random_labels(level.size(), 1 + rng.below(5), rng);
    const auto b = round % 5 == 0 ? a : random_labels(level.size(), 1 + rng.below(5), rng);
    const std::vector<std::int32_t> a_signed(a.begin(), a.end());
    const std::vector<std::int32_t> b_signed(b.begin(), b.end());
    const double expected = score(a_signed, b_signed).ari;
    EXPECT_NEAR(agreement(level.nodes().volume, a, b), expected, 1e-12);
    EXPECT_NEAR(agreement(level.nodes().volume, b, a), expected, 1e-12);
    // Nodes of a contracted level count as many times as they have objects.
    std::vector<ClusterId> both(level.size());
    for (std::size_t i = 0; i < both.size(); ++i) {
      both[i] = a[i] * 5 + b[i];
    }
    const std::size_t count = compact_labels(both);
    std::vector<ClusterId> coarse_a(count);
    std::vector<ClusterId> coarse_b(count);
    for (std::size_t i = 0; i < both.size(); ++i) {
      coarse_a[both[i]] = a[i];
      coarse_b[both[i]] = b[i];
    }
    const SparseLevel coarse = contract(level, both, count, team);
    EXPECT_NEAR(agreement(coarse.nodes().volume, coarse_a, coarse_b), expected, 1e-12);
  }
}

// Of the longest.
std::optional<std::size_t> middle(const std::vector<Plateau>& all) {
  return all.empty() ? std::nullopt : std::optional(all.front().middle());
}

TEST(path_rule, the_middle_of_the_longest_stretch_is_taken) {
  EXPECT_EQ(middle(plateaus(points_with({9, 5, 5, 5, 5, 5, 2, 2, 1}), 100)), 3U);
  EXPECT_EQ(middle(plateaus(points_with({9, 8, 7, 3, 3, 3, 3, 1, 1}), 100)), 4U);
  // Stretches are measured in steps: with more clusters a little less long will do.
  EXPECT_EQ(middle(plateaus(points_with({8, 8, 8, 2, 2, 2, 2, 1}), 100)), 1U);
  EXPECT_EQ(middle(plateaus(points_with({3, 3, 2, 2, 2, 2, 2, 1}), 100)), 4U);
}

TEST(path_rule, support_counts_more_than_length) {
  const std::vector<Plateau> all = plateaus(points_with({6, 6, 6, 2, 2, 2, 2, 2, 1}), 100);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].clusters, 2U);
  EXPECT_DOUBLE_EQ(all[0].score(1), 4 * 2);
  EXPECT_DOUBLE_EQ(all[1].score(1), 2 * 6);
  EXPECT_DOUBLE_EQ(all[0].score(0.5), 4 * 2 / 16.0);
  EXPECT_GT(all[0].score(0.9), all[1].score(0.8));
}

TEST(path_rule, of_many_clusters_a_few_may_come_and_go) {
  // No number occurs twice, but from 50 to 45 it hardly falls.
  const std::vector<Plateau> all =
      plateaus(points_with({102, 70, 50, 48, 47, 45, 37, 29, 22, 3, 3, 1}), 1000);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().clusters, 48U);
  EXPECT_EQ(all.front().middle(), 3U);
  const double k = 48;
  EXPECT_NEAR(all.front().steps, 3 - (2 + 1 + 3) / (0.1 * k), 1e-12);
  EXPECT_NEAR(all.front().length, all.front().steps * std::sqrt(k), 1e-12);
  // Up to ten clusters, one more or less is another number.
  for (const Plateau& plateau : plateaus(points_with({10, 9, 9, 8, 7, 7, 7, 6, 5, 4, 3, 2}), 100)) {
    EXPECT_EQ(plateau.steps, static_cast<double>(plateau.last - plateau.first));
    EXPECT_GT(plateau.steps, 0);
  }
}

TEST(path_rule, a_number_that_lasts_comes_before_numbers_that_nearly_do) {
  // 25 lasts .6 of a step, times 5; 2 lasts a step, times 1.4.
  const std::vector<Plateau> all = plateaus(points_with({40, 25, 24, 18, 9, 5, 2, 2, 1}), 1000);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].clusters, 2U);
  EXPECT_EQ(all[1].clusters, 25U);
  EXPECT_GT(all[1].length, all[0].length);
  EXPECT_EQ(all[2].clusters, 24U);
}

TEST(path_rule, numbers_that_are_nearly_the_same_are_judged_once) {
  const std::vector<Plateau> all =
      plateaus(points_with({52, 50, 50, 50, 49, 48, 48, 46, 5, 5, 4, 4, 1}), 1000);
  const std::vector<Plateau> judged = apart(all, 5);
  ASSERT_EQ(judged.size(), 3U);
  EXPECT_EQ(judged[0].clusters, 50U);
  EXPECT_EQ(judged[1].clusters, 5U);
  EXPECT_EQ(judged[2].clusters, 4U);
  ASSERT_EQ(apart(all, 2).size(), 2U);
  EXPECT_TRUE(apart({}, 5).empty());
}

TEST(path_rule, numbers_of_clusters_that_say_nothing_are_no_plateau) {
  EXPECT_EQ(middle(plateaus({}, 100)), std::nullopt);
  EXPECT_EQ(middle(plateaus(points_with({9, 7, 5, 4, 3, 2, 1}), 100)), std::nullopt);
  EXPECT_EQ(middle(plateaus(points_with({2, 1, 1, 1, 1}), 100)), std::nullopt);
  // Objects that are mostly alone are no groups.
  EXPECT_EQ(middle(plateaus(points_with({9, 9, 9, 9, 2, 2, 1}), 10)), 4U);
  EXPECT_EQ(middle(plateaus(points_with({9, 9, 9, 9, 2, 1, 1}), 10)), std::nullopt);
}

}  // namespace
}  // namespace shiftcut

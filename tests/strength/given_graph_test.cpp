// Paths over the strengths of the shift on graphs that are given.
#include <gtest/gtest.h>

#include <cmath>

#include "strength/path_rule.hpp"
#include "strength/shift_path.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

ShiftPath given_path(const NamedInput& data, Clusters clusters, int threads = 1) {
  const GraphProblem problem(std::get<SparseMatrix>(data.input.values),
                             {ShiftKind::adaptive, 1, 0, {}});
  SearchOptions options;
  options.clusters = clusters;
  ThreadTeam team(threads);
  NoLimit limit;
  return shift_path(problem, nullptr, options, {}, limit.with(team), {}, GraphOrigin::given);
}

TEST(surprise, is_the_divergence_of_the_share_within_clusters_from_chance) {
  Rng rng(1);
  for (int round = 0; round < 20; ++round) {
    const NamedInput data{"graph", graph(5 + rng.below(40), 4, false, true, rng), {}};
    const auto& matrix = std::get<SparseMatrix>(data.input.values);
    const GraphProblem problem(matrix, {ShiftKind::adaptive, 1, 0, {}});
    const std::vector<ClusterId> labels = random_labels(matrix.rows, 4, rng);
    double all = 0;
    double within = 0;
    std::vector<double> volume(4, 0.0);
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      for (auto e = static_cast<std::size_t>(matrix.offsets[i]);
           e < static_cast<std::size_t>(matrix.offsets[i + 1]); ++e) {
        all += matrix.values[e];
        volume[labels[i]] += matrix.values[e];
        within += labels[i] == labels[matrix.columns[e]] ? matrix.values[e] : 0.0;
      }
    }
    double chance = 0;
    for (const double part : volume) {
      chance += part / all * part / all;
    }
    const double q = within / all;
    const double expected =
        q <= chance
            ? 0.0
            : q * std::log(q / chance) + (q < 1 ? (1 - q) * std::log((1 - q) / (1 - chance)) : 0.0);
    EXPECT_NEAR(surprise(SparseLevel(problem), labels), expected, 1e-12);
    EXPECT_EQ(surprise(SparseLevel(problem), std::vector<ClusterId>(matrix.rows, 0)), 0);
  }
}

TEST(given_graph, has_as_many_clusters_as_asked_for_where_a_stronger_shift_gives_them) {
  Rng rng(2);
  for (const std::size_t blocks : {20, 90}) {
    const NamedInput data = planted_graph(blocks, 10, 5, 2, rng);
    const ShiftPath path = given_path(data, blocks);
    EXPECT_EQ(count_distinct(path.labels), blocks);
  }
}

TEST(given_graph, with_clusters_free_is_not_led_astray_by_its_components) {
  Rng rng(3);
  std::vector<std::pair<ObjectId, ObjectId>> edges;
  const NamedInput planted = planted_graph(12, 12, 7, 1, rng);
  const auto& matrix = std::get<SparseMatrix>(planted.input.values);
  for (ObjectId i = 0; i < matrix.rows; ++i) {
    for (auto e = static_cast<std::size_t>(matrix.offsets[i]);
         e < static_cast<std::size_t>(matrix.offsets[i + 1]); ++e) {
      if (i < matrix.columns[e]) {
        edges.emplace_back(i, matrix.columns[e]);
      }
    }
  }
  const auto n = static_cast<ObjectId>(matrix.rows);
  for (ObjectId pair = 0; pair < 5; ++pair) {  // five components of two nodes
    edges.emplace_back(n + 2 * pair, n + 2 * pair + 1);
  }
  const ShiftPath path = given_path(graph_of(edges, n + 10), {});
  const std::size_t found = count_distinct(path.labels);
  EXPECT_GE(found, 15U);
  EXPECT_LE(found, 19U);
}

TEST(given_graph, has_the_same_path_on_any_number_of_threads) {
  Rng rng(4);
  const NamedInput data = planted_graph(30, 10, 5, 2, rng);
  for (const Clusters clusters : {Clusters(30), Clusters()}) {
    const ShiftPath one = given_path(data, clusters, 1);
    const ShiftPath three = given_path(data, clusters, 3);
    EXPECT_EQ(one.labels, three.labels);
    EXPECT_EQ(one.strength, three.strength);
    ASSERT_EQ(one.points.size(), three.points.size());
    for (std::size_t p = 0; p + 1 < one.points.size(); ++p) {
      EXPECT_GT(one.points[p].strength, one.points[p + 1].strength);
      EXPECT_EQ(one.points[p].cost, three.points[p].cost);
    }
  }
}

}  // namespace
}  // namespace shiftcut

#include "multilevel/level.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

// Calls with the finest level of a graph or a matrix.
template <class Use>
void with_level(const Problem& problem, const Use& use) {
  if (const auto* graph = std::get_if<GraphProblem>(&problem)) {
    use(SparseLevel(*graph));
  } else {
    use(DenseLevel(std::get<DenseProblem>(problem)));
  }
}

std::vector<ClusterId> expanded(const std::vector<ClusterId>& groups,
                                const std::vector<ClusterId>& coarse) {
  std::vector<ClusterId> labels(groups.size());
  for (std::size_t v = 0; v < groups.size(); ++v) {
    labels[v] = coarse[groups[v]];
  }
  return labels;
}

TEST(level, numbers_clusters_in_the_order_of_their_first_nodes) {
  std::vector<ClusterId> labels{7, 2, 7, 0, 2, 9};
  EXPECT_EQ(compact_labels(labels), 4U);
  EXPECT_EQ(labels, (std::vector<ClusterId>{0, 1, 0, 2, 1, 3}));
  std::vector<ClusterId> none;
  EXPECT_EQ(compact_labels(none), 0U);
}

TEST(level, threads_never_change_the_numbers_of_clusters) {
  Rng rng(6);
  for (const std::size_t n : {1000, 50'000}) {
    for (const std::uint32_t clusters : {1U, 300U, 4'000'000U}) {
      const std::vector<ClusterId> labels = random_labels(n, clusters, rng);
      std::vector<ClusterId> expected = labels;
      const std::size_t count = compact_labels(expected);
      for (const int threads : {1, 2, 7}) {
        ThreadTeam team(threads);
        std::vector<ClusterId> found = labels;
        EXPECT_EQ(compact_labels(found, team), count);
        EXPECT_EQ(found, expected) << threads << " threads";
      }
    }
  }
}

TEST(level, contraction_keeps_the_cost_of_every_partition) {
  ThreadTeam team(2);
  Rng rng(1);
  for (int round = 0; round < 6; ++round) {
    const std::size_t n = 1 + rng.below(40);
    for (const NamedInput& data : with_levels(n, rng)) {
      for (const ShiftOptions& shift : with_degree(all_shifts(data.input.objects(), rng), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const std::size_t objects = size(made.problem);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        const double slack = 1e-12 * (1 + scale_of(s) * static_cast<double>(objects));
        with_level(made.problem, [&](const auto& finest) {
          std::vector<ClusterId> first = random_labels(objects, 1 + objects / 2, rng);
          const std::size_t count = compact_labels(first);
          const SparseLevel coarse = contract(finest, first, count, team);
          std::vector<ClusterId> second = random_labels(count, 1 + count / 2, rng);
          const std::vector<ClusterId> labels = expanded(first, second);
          const double expected = plain::cost(s, labels);
          EXPECT_NEAR(cost_of(finest, labels), expected, slack) << data.name;
          EXPECT_NEAR(cost_of(coarse, second), expected, slack) << data.name;

          const std::size_t fewer = compact_labels(second);
          const SparseLevel coarser = contract(coarse, second, fewer, team);
          const std::vector<ClusterId> third = random_labels(fewer, 2, rng);
          EXPECT_NEAR(cost_of(coarser, third),
                      plain::cost(s, expanded(first, expanded(second, third))), slack)
              << data.name;
        });
      }
    }
  }
}

TEST(level, a_coarse_node_carries_what_its_objects_do) {
  ThreadTeam team(2);
  Rng rng(2);
  for (const NamedInput& data : with_levels(30, rng)) {
    const MadeProblem made = problem_of(data, some_shifts()[0], team);
    with_level(made.problem, [&](const auto& finest) {
      std::vector<ClusterId> groups = random_labels(finest.size(), 9, rng);
      const std::size_t count = compact_labels(groups);
      const SparseLevel coarse = contract(finest, groups, count, team);
      ASSERT_EQ(coarse.size(), count);
      std::vector<Volume> volume(count);
      plain::Matrix weight(count, std::vector<double>(count, 0.0));
      for (ObjectId v = 0; v < finest.size(); ++v) {
        volume[groups[v]].size += finest.nodes().volume[v].size;
        volume[groups[v]].degree += finest.nodes().volume[v].degree;
        weight[groups[v]][groups[v]] += finest.nodes().self[v];
        finest.for_each_edge(v, [&](ObjectId u, double w) { weight[groups[v]][groups[u]] += w; });
      }
      for (ObjectId c = 0; c < count; ++c) {
        EXPECT_EQ(coarse.nodes().volume[c].size, volume[c].size);
        EXPECT_NEAR(coarse.nodes().volume[c].degree, volume[c].degree, 1e-9) << data.name;
        EXPECT_NEAR(coarse.nodes().self[c], weight[c][c], 1e-9) << data.name;
        std::set<ObjectId> seen;
        coarse.for_each_edge(c, [&](ObjectId u, double w) {
          EXPECT_NE(u, c) << "a loop, in " << data.name;
          EXPECT_TRUE(seen.insert(u).second) << "an edge twice, in " << data.name;
          EXPECT_NEAR(w, weight[c][u], 1e-9) << data.name;
        });
        std::size_t visited = 0;
        coarse.for_each_neighbor(c, [&](ObjectId) { ++visited; });
        EXPECT_EQ(visited, coarse.edges_of(c));
        for (ObjectId u = 0; u < count; ++u) {
          EXPECT_TRUE(u == c || weight[c][u] == 0 || seen.contains(u)) << data.name;
        }
      }
    });
  }
}

TEST(level, contraction_into_one_node_or_none_at_all_are_allowed) {
  ThreadTeam team(1);
  Rng rng(3);
  for (const NamedInput& data : with_levels(12, rng)) {
    const MadeProblem made = problem_of(data, some_shifts()[3], team);
    const plain::Matrix s = plain::shifted_matrix(made.problem);
    with_level(made.problem, [&](const auto& finest) {
      const std::vector<ClusterId> together(finest.size(), 0);
      const SparseLevel one = contract(finest, together, 1, team);
      EXPECT_EQ(one.edges(), 0U);
      EXPECT_NEAR(cost_of(one, std::vector<ClusterId>{0}), plain::cost(s, together), 1e-9)
          << data.name;
      std::vector<ClusterId> apart(finest.size());
      std::iota(apart.begin(), apart.end(), ClusterId{0});
      const SparseLevel same = contract(finest, apart, apart.size(), team);
      EXPECT_NEAR(cost_of(same, apart), plain::cost(s, apart), 1e-9) << data.name;
    });
  }
}

TEST(level, threads_never_change_a_contraction) {
  Rng rng(4);
  ThreadTeam making(1);
  for (const NamedInput& data : with_levels(700, rng)) {
    const MadeProblem made = problem_of(data, some_shifts()[0], making);
    with_level(made.problem, [&](const auto& finest) {
      std::vector<ClusterId> groups = random_labels(finest.size(), 150, rng);
      const std::size_t count = compact_labels(groups);
      const SparseLevel expected = contract(finest, groups, count, making);
      for (const int threads : {2, 7}) {
        ThreadTeam team(threads);
        const SparseLevel found = contract(finest, groups, count, team);
        ASSERT_EQ(found.edges(), expected.edges());
        EXPECT_EQ(found.nodes().self, expected.nodes().self);
        for (ObjectId c = 0; c < count; ++c) {
          using Edges = std::vector<std::pair<ObjectId, double>>;
          Edges a;
          Edges b;
          found.for_each_edge(c, [&](ObjectId u, double w) { a.emplace_back(u, w); });
          expected.for_each_edge(c, [&](ObjectId u, double w) { b.emplace_back(u, w); });
          ASSERT_EQ(a, b) << data.name;
        }
      }
    });
  }
}

// Edges that all weigh the same are counted; the oracle is a level with one edge of another weight
// far from the others.
TEST(level, counts_edges_that_all_weigh_the_same) {
  Rng rng(5);
  ThreadTeam alone(1);
  for (const double weight : {1.0, -2.0, 0.3}) {
    NamedInput data = planted_graph(400, 30, 8, 3, rng);
    auto& graph = std::get<SparseMatrix>(data.input.values);
    const std::size_t n = graph.rows;
    std::ranges::fill(graph.values, weight);
    SparseMatrix other = graph;
    other.rows = other.columns_count = n + 2;
    other.offsets.push_back(other.offsets.back() + 1);
    other.offsets.push_back(other.offsets.back() + 1);
    other.columns.push_back(static_cast<std::uint32_t>(n + 1));
    other.columns.push_back(static_cast<std::uint32_t>(n));
    other.values.insert(other.values.end(), 2, 7.0);
    const ShiftOptions shift{ShiftKind::constant, 1, 0.01, {}};
    const GraphProblem same(graph, shift);
    const GraphProblem different(other, shift);
    EXPECT_EQ(same.same_weight(), weight);
    EXPECT_EQ(different.same_weight(), 0);
    std::vector<ClusterId> groups = random_labels(n, 900, rng);
    const std::size_t count = compact_labels(groups);
    std::vector<ClusterId> other_groups = groups;
    other_groups.push_back(static_cast<ClusterId>(count));
    other_groups.push_back(static_cast<ClusterId>(count));
    const SparseLevel expected = contract(SparseLevel(different), other_groups, count + 1, alone);
    for (const int threads : {1, 2, 7}) {
      ThreadTeam team(threads);
      const SparseLevel found = contract(SparseLevel(same, team), groups, count, team);
      EXPECT_EQ(found.unit(), weight);
      ASSERT_EQ(found.edges(), expected.edges());
      EXPECT_NEAR(found.largest_weight(), expected.largest_weight(), 1e-9);
      for (ObjectId c = 0; c < count; ++c) {
        std::vector<std::pair<ObjectId, double>> edges;
        found.for_each_edge(c, [&](ObjectId u, double w) { edges.emplace_back(u, w); });
        std::size_t e = 0;
        expected.for_each_edge(c, [&](ObjectId u, double w) {
          ASSERT_LT(e, edges.size());
          ASSERT_EQ(edges[e].first, u);
          ASSERT_NEAR(edges[e++].second, w, 1e-9);
        });
        EXPECT_EQ(e, edges.size());
        EXPECT_NEAR(found.nodes().self[c], expected.nodes().self[c], 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace shiftcut

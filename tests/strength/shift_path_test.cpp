#include "strength/shift_path.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "shiftcut/metrics.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

GraphProblem adaptive(const NamedInput& data) {
  return {std::get<SparseMatrix>(data.input.values), {ShiftKind::adaptive, 1, 0, {}}};
}

constexpr PathSizes kTwiceSmaller{100, 100, 100};

ShiftPath path_of(const GraphProblem& problem, Clusters clusters, int threads = 2,
                  std::uint64_t seed = 0, const PathSizes& sizes = {}) {
  ThreadTeam team(threads);
  NoLimit limit;
  return shift_path(problem, nullptr, options_for(Method::automatic, clusters, seed), {},
                    limit.with(team), sizes);
}

const PathPoint& chosen(const ShiftPath& path) {
  const auto at = std::ranges::find(path.points, path.strength, &PathPoint::strength);
  EXPECT_NE(at, path.points.end());
  return *at;
}

std::vector<std::size_t> sizes_of(const std::vector<ClusterId>& labels) {
  std::vector<std::size_t> sizes(labels.size() + 1, 0);
  for (const ClusterId k : labels) {
    ++sizes[k];
  }
  std::erase(sizes, std::size_t{0});
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

// What holds of every path, complete or not.
void expect_well_formed(const ShiftPath& path, const GraphProblem& problem, Clusters clusters) {
  ASSERT_FALSE(path.points.empty());
  for (std::size_t p = 0; p < path.points.size(); ++p) {
    const PathPoint& point = path.points[p];
    EXPECT_GT(point.strength, 0);
    EXPECT_TRUE(p == 0 || point.strength < path.points[p - 1].strength);
    EXPECT_EQ(point.clusters, point.sizes.size());
    EXPECT_LE(point.clusters, clusters.value_or(problem.size()));
    EXPECT_TRUE(std::is_sorted(point.sizes.rbegin(), point.sizes.rend()));
    EXPECT_EQ(std::accumulate(point.sizes.begin(), point.sizes.end(), std::size_t{0}),
              problem.size());
    EXPECT_GT(point.sizes.back(), 0U);
    EXPECT_EQ(std::isinf(point.criterion), point.clusters == 1);
    EXPECT_LE(point.agreement, 1 + 1e-12);
  }
  ASSERT_EQ(path.labels.size(), problem.size());
  EXPECT_LE(sizes_of(path.labels).size(), clusters.value_or(problem.size()));
}

void expect_planted(const std::vector<ClusterId>& labels, std::size_t blocks, std::size_t size) {
  ASSERT_EQ(labels.size(), blocks * size);
  EXPECT_EQ(count_distinct(labels), blocks);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    EXPECT_EQ(labels[i], labels[i / size * size]);
  }
}

// Adjusted, against blocks of so many.
double rand_index(const std::vector<ClusterId>& labels, std::size_t size) {
  std::vector<std::int32_t> blocks(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    blocks[i] = static_cast<std::int32_t>(i / size);
  }
  return score(blocks, std::vector<std::int32_t>(labels.begin(), labels.end())).ari;
}

TEST(shift_path, finds_planted_clusters_with_their_number_free_and_given) {
  Rng rng(1);
  for (const std::size_t blocks : {2U, 5U, 12U}) {
    const NamedInput data = planted_graph(blocks, 40, 12, 1, rng);
    const GraphProblem problem = adaptive(data);
    for (const Clusters& clusters : {Clusters{}, Clusters{blocks}}) {
      const ShiftPath path = path_of(problem, clusters);
      expect_well_formed(path, problem, clusters);
      EXPECT_TRUE(path.has_plateau);
      expect_planted(path.labels, blocks, 40);
    }
  }
}

TEST(shift_path, separate_parts_are_the_clusters) {
  const NamedInput data = graph_of({{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}}, 6);
  const GraphProblem problem = adaptive(data);
  for (const Clusters& clusters : {Clusters{}, Clusters{2}}) {
    expect_planted(path_of(problem, clusters).labels, 2, 3);
  }
}

TEST(shift_path, costs_are_those_of_the_definition) {
  ThreadTeam team(2);
  Rng rng(2);
  const NamedInput data = planted_graph(4, 25, 8, 2, rng);
  const GraphProblem problem = adaptive(data);
  for (const Clusters& clusters : {Clusters{}, Clusters{4}, Clusters{7}}) {
    const ShiftPath path = path_of(problem, clusters);
    expect_well_formed(path, problem, clusters);
    if (clusters) {  // with K free, the vote's labels are not those of the path
      const double at_chosen = problem.with_strength(path.strength).cost(path.labels, team);
      EXPECT_NEAR(chosen(path).cost, at_chosen, 1e-9 * std::abs(at_chosen));
    }
    // One cluster costs - total (1 - strength), which an answer must not exceed.
    for (const PathPoint& point : path.points) {
      const std::vector<ClusterId> one(problem.size(), 0);
      const double together = problem.with_strength(point.strength).cost(one, team);
      EXPECT_LE(point.cost, together + 1e-9 * std::abs(together));
      if (point.clusters == 1) {
        EXPECT_NEAR(point.cost, together, 1e-9 * std::abs(together));
      }
    }
  }
}

TEST(shift_path, a_weaker_shift_costs_less_and_joins_more) {
  Rng rng(3);
  const NamedInput data = planted_graph(6, 30, 9, 2, rng);
  const GraphProblem problem = adaptive(data);
  const ShiftPath path = path_of(problem, {});
  for (std::size_t p = 1; p < path.points.size(); ++p) {
    EXPECT_LE(path.points[p].cost, path.points[p - 1].cost);
  }
  EXPECT_GT(path.points.front().clusters, 6U);
  EXPECT_EQ(path.points.back().clusters, 1U);
  EXPECT_NEAR(path.points.back().agreement, 1, 1e-12);
}

void expect_same(const ShiftPath& a, const ShiftPath& b) {
  ASSERT_EQ(a.points.size(), b.points.size());
  for (std::size_t p = 0; p < a.points.size(); ++p) {
    EXPECT_EQ(a.points[p].strength, b.points[p].strength);
    EXPECT_EQ(a.points[p].sizes, b.points[p].sizes);
    EXPECT_EQ(a.points[p].cost, b.points[p].cost);
    EXPECT_EQ(a.points[p].criterion, b.points[p].criterion);
    EXPECT_EQ(a.points[p].agreement, b.points[p].agreement);
  }
  EXPECT_EQ(a.strength, b.strength);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.has_plateau, b.has_plateau);
}

TEST(shift_path, is_the_same_for_any_number_of_threads) {
  Rng rng(4);
  const NamedInput small = planted_graph(6, 30, 6, 4, rng);
  const NamedInput large = planted_graph(40, 250, 14, 4, rng);  // large enough to be made smaller
  for (const NamedInput* data : {&small, &large}) {
    const GraphProblem problem = adaptive(*data);
    for (const Clusters& clusters : {Clusters{}, Clusters{8}}) {
      const PathSizes sizes = clusters ? kTwiceSmaller : PathSizes{};
      const ShiftPath one = path_of(problem, clusters, 1, 9, sizes);
      expect_well_formed(one, problem, clusters);
      expect_same(one, path_of(problem, clusters, 2, 9, sizes));
      expect_same(one, path_of(problem, clusters, 7, 9, sizes));
    }
  }
}

TEST(shift_path, a_graph_that_is_made_smaller_keeps_its_objects_and_costs) {
  ThreadTeam team(2);
  Rng rng(5);
  const NamedInput data = planted_graph(30, 300, 15, 1, rng);
  const GraphProblem problem = adaptive(data);
  for (const Clusters& clusters : {Clusters{}, Clusters{30}}) {
    for (const PathSizes& sizes : {PathSizes{}, kTwiceSmaller}) {
      const ShiftPath path = path_of(problem, clusters, 2, 0, sizes);
      expect_well_formed(path, problem, clusters);
      // A few objects begin in a group of others, which only the search mends.
      EXPECT_EQ(count_distinct(path.labels), 30U);
      EXPECT_GT(rand_index(path.labels, 300), 0.95);
      if (clusters) {
        const double expected = problem.with_strength(path.strength).cost(path.labels, team);
        EXPECT_NEAR(chosen(path).cost, expected, 1e-9 * std::abs(expected));
      }
    }
  }
}

TEST(shift_path, graphs_without_edges_and_one_cluster_have_none) {
  const NamedInput none = graph_of({}, 5);
  EXPECT_TRUE(path_of(adaptive(none), {}).points.empty());
  EXPECT_TRUE(path_of(adaptive(none), 3).points.empty());
  EXPECT_EQ(path_of(adaptive(none), {}).strength, 1);
  const NamedInput pair = graph_of({{0, 1}}, 2);
  EXPECT_TRUE(path_of(adaptive(pair), 1).points.empty());
}

TEST(shift_path, few_objects_have_one_too) {
  for (std::size_t n = 2; n < 7; ++n) {
    std::vector<std::pair<ObjectId, ObjectId>> line;
    for (ObjectId i = 1; i < n; ++i) {
      line.emplace_back(i - 1, i);
    }
    const NamedInput data = graph_of(line, n);
    const GraphProblem problem = adaptive(data);
    for (const Clusters& clusters : {Clusters{}, Clusters{2}, Clusters{n}}) {
      expect_well_formed(path_of(problem, clusters), problem, clusters);
    }
  }
}

TEST(shift_path, told_to_stop_it_judges_what_it_has) {
  Rng rng(6);
  const NamedInput small = planted_graph(5, 40, 8, 2, rng);
  const NamedInput large = planted_graph(40, 250, 14, 4, rng);
  std::atomic<bool> flag{true};
  for (const NamedInput* data : {&small, &large}) {
    const GraphProblem problem = adaptive(*data);
    for (const Clusters& clusters : {Clusters{}, Clusters{5}}) {
      // Before it begins, and from its own progress after a few strengths.
      for (const std::uint64_t steps : {0U, 3U, 20U}) {
        flag = steps == 0;
        Control control;
        control.stop = &flag;
        control.progress = [&](const Progress& progress) {
          EXPECT_EQ(progress.phase, "shift path");
          EXPECT_LE(progress.done, progress.total);
          flag = flag || progress.done >= steps;
        };
        ThreadTeam team(2);
        StopCheck stop(control, Clock::now(), 0);
        Rng unused(0);
        const ShiftPath path = shift_path(
            problem, nullptr, options_for(Method::automatic, clusters), {}, {unused, team, stop});
        EXPECT_EQ(stop.reason(), StopReason::interrupted);
        expect_well_formed(path, problem, clusters);
        if (steps == 0) {
          EXPECT_EQ(path.points.size(), 1U);
        }
      }
    }
  }
}

// Four groups of four blocks each: at some strengths the blocks come out, at others the groups.
SparseMatrix nested_blocks(std::uint32_t block, Rng& rng) {
  const std::uint32_t n = 16 * block;
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      const double chance = i / block == j / block               ? 0.8
                            : i / (4 * block) == j / (4 * block) ? 0.2
                                                                 : 0.01;
      if (rng.uniform() < chance) {
        entries.push_back({i, j, 1});
        entries.push_back({j, i, 1});
      }
    }
  }
  return sparse_from_entries(std::move(entries), n, n);
}

TEST(shift_path, takes_the_strength_whose_grouping_is_as_answers_say) {
  constexpr std::uint32_t kBlock = 15;
  Rng rng(1);
  const SparseMatrix graph = nested_blocks(kBlock, rng);
  const GraphProblem problem(graph, {ShiftKind::adaptive, 1, 0, {}});
  ThreadTeam team(2);
  NoLimit limit;
  for (const std::uint32_t size : {kBlock, 4 * kBlock}) {
    LinkOptions answers;
    answers.learn = true;
    for (int e = 0; e < 200; ++e) {
      const std::uint32_t a = rng.below(16 * kBlock);
      const std::uint32_t b = (a + 1 + rng.below(16 * kBlock - 1)) % (16 * kBlock);
      (a / size == b / size ? answers.must_link : answers.cannot_link).push_back({a, b});
    }
    const ShiftPath path =
        shift_path(problem, nullptr, options_for(Method::automatic, {}), answers, limit.with(team));
    const double wanted = 16.0 * kBlock / size;
    EXPECT_NEAR(static_cast<double>(chosen(path).clusters), wanted, wanted / 8);
  }
}

}  // namespace
}  // namespace shiftcut

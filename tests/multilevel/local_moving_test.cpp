#include "multilevel/local_moving.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "descent/descend.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

std::vector<ClusterId> still_labels(const GraphProblem& problem, int threads) {
  ThreadTeam team(threads);
  NoLimit limit;
  Rng rng(3);
  const SparseLevel level(problem);
  std::vector<ClusterId> labels(level.size());
  std::iota(labels.begin(), labels.end(), ClusterId{0});
  LocalMoving<SparseLevel> moving(level, labels, level.size(), {rng, team, limit.check});
  moving.move_until_stable();
  return moving.labels();
}

// Nine nodes in ten have edges to three others, mostly to the same few; the rest have none.
Input graph_with_hubs(std::size_t n, Rng& rng) {
  std::vector<Entry> entries;
  for (std::uint32_t v = 0; v < n; ++v) {
    for (int e = 0; e < 3 && v % 10 != 0; ++e) {
      const auto u =
          static_cast<std::uint32_t>(std::pow(rng.uniform(), 4) * static_cast<double>(n));
      if (u != v && u % 10 != 0) {
        entries.push_back({u, v, 1});
        entries.push_back({v, u, 1});
      }
    }
  }
  Input input;
  input.values = sparse_from_entries(std::move(entries), n, n);
  input.shape = Shape::graph;
  return input;
}

// Nodes in the thousands are queued in batches.
std::vector<NamedInput> graphs_of_all_sizes(Rng& rng) {
  std::vector<NamedInput> all;
  for (const std::size_t n : {40U, 3'000U, 50'000U}) {
    all.push_back(planted_graph(n / 20, 20, 6, 3, rng));
    all.push_back({"weighted", graph(n, 9, false, false, rng), {}});
    all.push_back({"of many edges a node", graph(n / 20 + 2, 90, false, true, rng), {}});
    all.push_back({"of both signs", graph(n, 9, true, false, rng), {}});
    all.push_back({"with hubs", graph_with_hubs(n, rng), {}});
  }
  return all;
}

TEST(local_moving, until_still_leaves_no_move_that_lowers_the_cost) {
  ThreadTeam team(2);
  Rng rng(1);
  for (const NamedInput& data : graphs_of_all_sizes(rng)) {
    std::vector<ShiftOptions> shifts{{ShiftKind::constant, 1, 0.02, {}},
                                     {ShiftKind::constant, 1, 0.3, {}}};
    if (data.name != "of both signs") {
      shifts.push_back({ShiftKind::degree, 1, 0, {}});
      shifts.push_back({ShiftKind::degree, 20, 0, {}});
    }
    for (const ShiftOptions& shift : shifts) {
      const MadeProblem made = problem_of(data, shift, team);
      const auto& problem = std::get<GraphProblem>(made.problem);
      std::vector<ClusterId> labels = still_labels(problem, 2);
      compact_labels(labels);
      NoLimit limit;
      const Restart after = descend(made.problem, labels, {}, {rng, team, limit.check});
      EXPECT_EQ(after.moves, 0) << data.name << ", shift " << shift.constant;
    }
  }
}

TEST(local_moving, gives_the_same_labels_on_any_number_of_threads) {
  ThreadTeam team(1);
  Rng rng(2);
  for (const NamedInput& data : graphs_of_all_sizes(rng)) {
    const MadeProblem made = problem_of(data, {ShiftKind::constant, 1, 0.05, {}}, team);
    const auto& problem = std::get<GraphProblem>(made.problem);
    const std::vector<ClusterId> first = still_labels(problem, 1);
    EXPECT_EQ(still_labels(problem, 2), first) << data.name;
    EXPECT_EQ(still_labels(problem, 7), first) << data.name;
  }
}

TEST(local_moving, in_one_pass_groups_nodes_within_their_regions_at_lower_cost) {
  ThreadTeam team(2);
  Rng rng(4);
  for (const NamedInput& data : graphs_of_all_sizes(rng)) {
    const MadeProblem made = problem_of(data, {ShiftKind::constant, 1, 0.05, {}}, team);
    const SparseLevel level(std::get<GraphProblem>(made.problem));
    std::vector<ClusterId> regions(level.size());
    for (ObjectId v = 0; v < level.size(); ++v) {
      regions[v] = v % 3;
    }
    std::vector<ClusterId> single(level.size());
    std::iota(single.begin(), single.end(), ClusterId{0});
    NoLimit limit;
    LocalMoving<SparseLevel> moving(level, single, level.size(), {rng, team, limit.check});
    moving.restrict_to(regions);
    const std::size_t moves = moving.group_once();
    std::vector<ClusterId> groups = moving.labels();
    EXPECT_LE(cost_of(level, groups), cost_of(level, single)) << data.name;
    for (ObjectId v = 0; v < level.size(); ++v) {
      EXPECT_EQ(regions[groups[v]], regions[v])
          << data.name;  // a group is named for its first node
    }
    EXPECT_EQ(compact_labels(groups), level.size() - moves) << data.name;  // nobody moves twice
  }
}

}  // namespace
}  // namespace shiftcut

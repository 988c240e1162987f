#include "multilevel/local_moving.hpp"

#include <gtest/gtest.h>

#include <numeric>

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
  EXPECT_TRUE(moving.sees_all_clusters());
  return moving.labels();
}

// Nodes in the tens of thousands are worked on by stretches.
std::vector<NamedInput> graphs_of_all_sizes(Rng& rng) {
  std::vector<NamedInput> all;
  for (const std::size_t n : {40U, 3'000U, 50'000U}) {
    all.push_back(planted_graph(n / 20, 20, 6, 3, rng));
    all.push_back({"weighted", graph(n, 9, false, false, rng), {}});
    all.push_back({"of many edges a node", graph(n / 20 + 2, 90, false, true, rng), {}});
    all.push_back({"of both signs", graph(n, 9, true, false, rng), {}});
  }
  return all;
}

TEST(local_moving, until_still_leaves_no_move_that_lowers_the_cost) {
  ThreadTeam team(2);
  Rng rng(1);
  for (const NamedInput& data : graphs_of_all_sizes(rng)) {
    for (const double constant : {0.02, 0.3}) {
      const MadeProblem made = problem_of(data, {ShiftKind::constant, 1, constant, {}}, team);
      const auto& problem = std::get<GraphProblem>(made.problem);
      std::vector<ClusterId> labels = still_labels(problem, 2);
      compact_labels(labels);
      NoLimit limit;
      const Restart after = descend(made.problem, labels, {}, {rng, team, limit.check});
      EXPECT_EQ(after.moves, 0) << data.name << ", shift " << constant;
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

}  // namespace
}  // namespace shiftcut

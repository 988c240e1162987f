#include "search/improve.hpp"

#include <gtest/gtest.h>

#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

Solution descended(const MadeProblem& made, Clusters clusters, Rng& rng, ThreadTeam& team) {
  NoLimit limit;
  Solution found;
  const std::size_t n = size(made.problem);
  found.labels = random_labels(n, clusters.value_or(std::min<std::size_t>(n, 6)), rng);
  found.cost = descend(made.problem, found.labels, clusters, {rng, team, limit.check}).cost;
  return found;
}

TEST(combine, ends_in_a_local_optimum_no_higher_than_either_answer) {
  ThreadTeam team(2);
  Rng rng(1);
  int lower = 0;
  int combined = 0;
  for (int round = 0; round < 10; ++round) {
    for (const NamedInput& data :
         {planted_graph(3 + rng.below(4), 4 + rng.below(20), 4, 3, rng),
          NamedInput{"graph", graph(2 + rng.below(120), 3, false, true, rng), {}}}) {
      const std::size_t n = data.input.objects();
      for (const ShiftOptions& shift : with_degree(all_shifts(n, rng), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        if (!std::holds_alternative<GraphProblem>(made.problem)) {
          continue;
        }
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        for (const Clusters clusters :
             {Clusters(2), Clusters(std::min<std::size_t>(n, 7)), Clusters(n), Clusters()}) {
          const Solution one = descended(made, clusters, rng, team);
          const Solution other = descended(made, clusters, rng, team);
          NoLimit limit;
          const Solution found = recombine(made.problem, one, other, {clusters, rng.below(2) == 0},
                                           {rng, team, limit.check});
          expect_local_optimum(s, found.labels, found.cost, clusters, data.name);
          EXPECT_LE(found.cost, std::min(one.cost, other.cost)) << data.name;
          ASSERT_EQ(found.restarts.size(), 1U);
          EXPECT_EQ(found.restarts.front().method, "combination");
          ++combined;
          lower += found.cost < std::min(one.cost, other.cost) - 1e-9 * scale_of(s) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GE(lower, combined / 3) << "of " << combined;
}

// Each of two answers is right in one half of the blocks and has mixed up those of the other.
TEST(combine, takes_from_each_answer_what_is_right) {
  ThreadTeam team(2);
  Rng rng(2);
  for (int round = 0; round < 20; ++round) {
    const auto half = 2 + rng.below(8);
    const auto blocks = 2 * half;
    const std::size_t size = 10 + rng.below(20);
    const NamedInput data = planted_graph(blocks, size, 8, 0.5, rng);
    const MadeProblem made = problem_of(data, {ShiftKind::constant, 1, 0.05, {}}, team);
    const auto answer = [&](std::uint32_t first_mixed) {
      Solution found;
      found.labels.resize(blocks * size);
      for (std::size_t i = 0; i < found.labels.size(); ++i) {
        const auto block = static_cast<ClusterId>(i / size);
        const bool mixed = block >= first_mixed && block < first_mixed + half;
        found.labels[i] = mixed ? first_mixed + rng.below(half) : block;
      }
      found.cost = cost(made.problem, found.labels, team);
      return found;
    };
    std::vector<ClusterId> right(blocks * size);
    for (std::size_t i = 0; i < right.size(); ++i) {
      right[i] = static_cast<ClusterId>(i / size);
    }
    NoLimit limit;
    const Solution found =
        recombine(made.problem, answer(0), answer(half), {blocks, false}, {rng, team, limit.check});
    EXPECT_LE(found.cost, cost(made.problem, right, team) + 1e-9) << blocks << " blocks";
  }
}

TEST(combine, stopped_at_once_returns_labels_and_their_cost) {
  ThreadTeam team(1);
  Rng rng(3);
  const NamedInput data = planted_graph(30, 20, 6, 3, rng);
  const MadeProblem made = problem_of(data, some_shifts()[0], team);
  Stopped stopped;
  for (const Clusters clusters : {Clusters(5), Clusters()}) {
    const Solution one = descended(made, clusters, rng, team);
    const Solution other = descended(made, clusters, rng, team);
    const Solution found =
        recombine(made.problem, one, other, {clusters, true}, {rng, team, stopped.check});
    EXPECT_LE(found.cost, std::min(one.cost, other.cost));
    EXPECT_NEAR(found.cost, cost(made.problem, found.labels, team), 1e-9 * std::abs(found.cost));
  }
}

}  // namespace
}  // namespace shiftcut

#include "strength/hierarchy.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

using Labels = std::vector<ClusterId>;

struct Made {
  Labels labels;
  std::vector<MergeStep> steps;
};

Made made_from(const GraphProblem& graph, double at, ThreadTeam& team) {
  NoLimit limit;
  SearchOptions options = options_for(Method::automatic, std::nullopt, 1);
  const Problem problem = graph.with_strength(at);
  Made made{search(problem, options, {}, limit.with(team)).labels, {}};
  compact_labels(made.labels);
  const SparseLevel level(graph);
  made.steps = hierarchy(level, made.labels, at, 1, limit.with(team));
  return made;
}

// Labels after a number of merges.
Labels after(const std::vector<MergeStep>& steps, std::size_t n, std::size_t merges) {
  std::vector<std::uint32_t> parent(n + steps.size());
  std::iota(parent.begin(), parent.end(), 0U);
  for (std::size_t m = merges; m-- > 0;) {
    parent[steps[m].left] = parent[steps[m].right] = parent[n + m];
  }
  parent.resize(n);
  compact_labels(parent);
  return parent;
}

TEST(hierarchy, is_a_tree_of_falling_strengths_with_the_labels_as_a_level) {
  ThreadTeam team(2);
  Rng rng(1);
  for (int round = 0; round < 6; ++round) {
    const std::size_t blocks = 2 + rng.below(5);
    for (const NamedInput& data : {planted_graph(blocks, 8 + rng.below(20), 6, 1, rng),
                                   NamedInput{"sparse", graph(40, 2, false, false, rng), {}}}) {
      const MadeProblem problem = problem_of(data, {}, team);
      const auto& graph = std::get<GraphProblem>(problem.problem);
      const std::size_t n = graph.size();
      for (const double at : {0.1, 1.0}) {
        const Made made = made_from(graph, at, team);
        const std::size_t clusters = *std::ranges::max_element(made.labels) + std::size_t{1};
        ASSERT_EQ(made.steps.size(), n - 1);
        std::set<std::uint32_t> used;
        for (std::size_t m = 0; m < made.steps.size(); ++m) {
          const MergeStep& step = made.steps[m];
          EXPECT_LT(step.left, step.right);
          EXPECT_LT(step.right, n + m);
          EXPECT_TRUE(used.insert(step.left).second && used.insert(step.right).second);
          EXPECT_GE(step.strength, 0);
          if (m > 0) {
            EXPECT_LE(step.strength, made.steps[m - 1].strength);
          }
        }
        EXPECT_EQ(after(made.steps, n, n - clusters), made.labels) << data.name;
      }
    }
  }
}

// S summed over the pairs of two clusters is 0 at the strength they merge at.
TEST(hierarchy, merges_where_similarity_and_shift_are_equal) {
  ThreadTeam team(1);
  Rng rng(2);
  const NamedInput data = planted_graph(4, 12, 8, 1, rng);
  const MadeProblem problem = problem_of(data, {}, team);
  const auto& graph = std::get<GraphProblem>(problem.problem);
  const std::size_t n = graph.size();
  const Made made = made_from(graph, 0.2, team);
  const plain::Matrix unshifted = plain::shifted_matrix(Problem(graph.with_strength(0)));
  const plain::Matrix shifted = plain::shifted_matrix(Problem(graph.with_strength(1)));
  std::size_t exact = 0;
  for (std::size_t m = 0; m < made.steps.size(); ++m) {
    const Labels before = after(made.steps, n, m);
    const Labels then = after(made.steps, n, m + 1);
    double weight = 0;
    double taken = 0;
    for (ObjectId i = 0; i < n; ++i) {
      for (ObjectId j = 0; j < n; ++j) {
        if (before[i] != before[j] && then[i] == then[j]) {
          weight += unshifted[i][j];
          taken += unshifted[i][j] - shifted[i][j];
        }
      }
    }
    exact += std::abs(weight / taken - made.steps[m].strength) < 1e-9 ? 1 : 0;
  }
  EXPECT_GT(exact, n / 2);  // the others wait for their parts, or for the level of the labels
}

TEST(hierarchy, is_the_same_on_any_number_of_threads) {
  Rng rng(3);
  const NamedInput data = planted_graph(6, 30, 6, 1.5, rng);
  ThreadTeam one(1);
  ThreadTeam four(4);
  const MadeProblem problem = problem_of(data, {}, one);
  const auto& graph = std::get<GraphProblem>(problem.problem);
  const Made first = made_from(graph, 0.25, one);
  const Made second = made_from(graph, 0.25, four);
  ASSERT_EQ(first.steps.size(), second.steps.size());
  for (std::size_t m = 0; m < first.steps.size(); ++m) {
    EXPECT_EQ(first.steps[m].left, second.steps[m].left);
    EXPECT_EQ(first.steps[m].right, second.steps[m].right);
    EXPECT_EQ(first.steps[m].strength, second.steps[m].strength);
  }
}

}  // namespace
}  // namespace shiftcut

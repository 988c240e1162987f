#include "search/eject.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

std::vector<ObjectId> each_its_node(std::size_t n) {
  std::vector<ObjectId> nodes(n);
  std::iota(nodes.begin(), nodes.end(), ObjectId{0});
  return nodes;
}

const Control kNoControl;

// 0 and 1 are of one group, 2 and 3 of another; each is where the other should be.
TEST(eject, lets_two_objects_change_places) {
  const SparseMatrix matrix = sparse_from_entries(
      {{0, 2, 2}, {2, 0, 2}, {1, 3, 2}, {3, 1, 2}, {0, 3, 1}, {3, 0, 1}, {1, 2, 1}, {2, 1, 1}}, 4,
      4);
  const GraphProblem problem(matrix, {ShiftKind::none, 1, 0, {}});
  const OnePerCluster groups(std::vector<std::int32_t>{0, 0, 1, 1}, each_its_node(4), 4);
  StopCheck stop(kNoControl, Clock::now(), 0);
  std::vector<ClusterId> labels{0, 1, 1, 0};
  EXPECT_TRUE(eject(problem, groups, nullptr, 2, labels, stop));
  EXPECT_EQ(labels[0], labels[2]);
  EXPECT_EQ(labels[1], labels[3]);
  EXPECT_NE(labels[0], labels[1]);
  EXPECT_FALSE(eject(problem, groups, nullptr, 2, labels, stop));
}

// 1 holds the place beside 2 that 0 deserves, and had better be alone.
TEST(eject, sends_away_who_is_in_the_place_of_a_better_one) {
  const SparseMatrix matrix =
      sparse_from_entries({{0, 2, 2}, {2, 0, 2}, {1, 2, 1}, {2, 1, 1}}, 3, 3);
  const GraphProblem problem(matrix, {ShiftKind::none, 1, 0, {}});
  const OnePerCluster groups(std::vector<std::int32_t>{5, 5, -1}, each_its_node(3), 3);
  StopCheck stop(kNoControl, Clock::now(), 0);
  std::vector<ClusterId> labels{0, 1, 1};
  EXPECT_TRUE(eject(problem, groups, nullptr, {}, labels, stop));
  EXPECT_EQ(labels[0], labels[2]);
  EXPECT_NE(labels[0], labels[1]);
}

TEST(eject, lowers_the_cost_and_keeps_to_groups_and_conflicts) {
  Rng rng(7);
  int changed = 0;
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t n = 4 + rng.below(30);
    const Input input = graph(n, 5, round % 3 == 0, round % 4 == 0, rng);
    const GraphProblem problem(std::get<SparseMatrix>(input.values), some_shifts()[rng.below(6)]);
    std::optional<std::size_t> clusters;
    if (round % 2 == 0) {
      clusters = 3 + rng.below(5);
    }
    std::vector<std::int32_t> group(n, -1);
    std::vector<std::size_t> sizes(4, 0);
    std::vector<ClusterId> labels(n);
    for (ObjectId i = 0; i < n; ++i) {
      const std::uint32_t drawn = rng.below(4);
      group[i] = ++sizes[drawn] <= clusters.value_or(n) ? static_cast<std::int32_t>(drawn) : -1;
      labels[i] = rng.below(static_cast<std::uint32_t>(clusters.value_or(n)));
    }
    const OnePerCluster groups(group, each_its_node(n), n);
    ASSERT_TRUE(groups.repair(labels, clusters, nullptr));
    ConflictLists conflicts(n);
    for (int pair = 0; pair < 5; ++pair) {
      const ObjectId a = rng.below(n);
      const ObjectId b = rng.below(n);
      if (labels[a] != labels[b]) {
        conflicts[a].push_back(b);
        conflicts[b].push_back(a);
      }
    }
    for (auto& list : conflicts) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    const Conflicts apart(conflicts, {});
    const plain::Matrix s = plain::shifted_matrix(problem);
    const double before = plain::cost(s, labels);
    StopCheck stop(kNoControl, Clock::now(), 0);
    const bool is_changed = eject(problem, groups, &apart, clusters, labels, stop);
    const double after = plain::cost(s, labels);
    EXPECT_EQ(after < before, is_changed);
    EXPECT_TRUE(groups.clashes(labels).pairs.empty());
    EXPECT_TRUE(apart.satisfied_by(labels));
    EXPECT_LT(*std::max_element(labels.begin(), labels.end()), clusters.value_or(n));
    changed += is_changed ? 1 : 0;
  }
  EXPECT_GT(changed, 100);
}

}  // namespace
}  // namespace shiftcut

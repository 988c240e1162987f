#include "constraints/one_per_cluster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <stdexcept>

#include "constraints/constraints.hpp"
#include "core/rng.hpp"

namespace shiftcut {
namespace {

std::string group_name(ObjectId i) { return std::to_string(i); }

std::vector<ObjectId> each_its_node(std::size_t n) {
  std::vector<ObjectId> nodes(n);
  std::iota(nodes.begin(), nodes.end(), ObjectId{0});
  return nodes;
}

bool clash(const std::vector<std::int32_t>& group, const std::vector<ObjectId>& node,
           const std::vector<ClusterId>& labels) {
  std::set<std::pair<std::int32_t, ClusterId>> seen;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i] >= 0 && !seen.emplace(group[i], labels[node[i]]).second) {
      return true;
    }
  }
  return false;
}

std::string group_complaint(const LinkOptions& given, std::size_t n,
                            std::optional<std::size_t> k = {}) {
  try {
    make_constraints(given, n, k, group_name);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(one_per_cluster, names_pairs_of_a_group_in_a_cluster) {
  const std::vector<std::int32_t> group{0, 0, 1, 1, -1, -1, 7};
  const OnePerCluster one(group, each_its_node(7), 7);
  EXPECT_EQ(one.pairs(), 2U);
  EXPECT_FALSE(one.overlap());
  EXPECT_THAT(one.all(), testing::ElementsAre(NodePair(0, 1), NodePair(2, 3)));
  const auto found = one.clashes(std::vector<ClusterId>{0, 0, 0, 1, 0, 0, 0});
  EXPECT_THAT(found.pairs, testing::ElementsAre(NodePair(0, 1)));
  EXPECT_EQ(found.nodes, 1U);
}

TEST(one_per_cluster, finds_clashes_where_there_are_any_and_mends_them) {
  Rng rng(1);
  for (int round = 0; round < 500; ++round) {
    const std::uint32_t n = 2 + rng.below(40);
    const std::uint32_t clusters = 1 + rng.below(8);
    const bool is_free = rng.below(2) == 0;
    std::vector<std::int32_t> group(n, -1);
    std::vector<std::size_t> sizes(10, 0);
    for (std::int32_t& g : group) {
      const std::uint32_t drawn = rng.below(10);
      if (is_free || ++sizes[drawn] <= clusters) {
        g = static_cast<std::int32_t>(drawn);
      }
    }
    std::vector<ClusterId> labels(n);
    for (ClusterId& k : labels) {
      k = rng.below(clusters);
    }
    const std::vector<ObjectId> node = each_its_node(n);
    const OnePerCluster one(group, node, n);
    EXPECT_EQ(one.clashes(labels).pairs.empty(), !clash(group, node, labels));
    EXPECT_TRUE(
        one.repair(labels, is_free ? std::nullopt : std::optional<std::size_t>(clusters), nullptr));
    EXPECT_FALSE(clash(group, node, labels));
    EXPECT_TRUE(one.clashes(labels).pairs.empty());
    EXPECT_TRUE(is_free || *std::max_element(labels.begin(), labels.end()) < clusters);
  }
}

TEST(one_per_cluster, says_so_where_further_conflicts_leave_no_cluster) {
  const OnePerCluster one(std::vector<std::int32_t>{0, 0, -1}, each_its_node(3), 3);
  const Conflicts apart({{2}, {2}, {0, 1}}, {0, 0, 1});
  std::vector<ClusterId> labels{0, 0, 1};
  EXPECT_FALSE(one.repair(labels, 2, &apart));
  labels = {0, 0, 1};
  EXPECT_TRUE(one.repair(labels, 3, &apart));
  EXPECT_THAT(labels, testing::ElementsAre(0, 2, 1));
}

TEST(one_per_cluster, names_few_pairs_of_a_crowd) {
  const std::size_t n = 5000;
  const OnePerCluster one(std::vector<std::int32_t>(n, 3), each_its_node(n), n);
  EXPECT_EQ(one.pairs(), n * (n - 1) / 2);
  const auto found = one.clashes(std::vector<ClusterId>(n, 0));
  EXPECT_EQ(found.nodes, n - 1);
  EXPECT_LE(found.pairs.size(), 64 * n);
  std::vector<Entry> star;
  for (std::uint32_t i = 1; i < n; ++i) {
    star.push_back({0, i, 1});
    star.push_back({i, 0, 1});
  }
  EXPECT_LE(one.near(sparse_from_entries(star, n, n), each_its_node(n)).size(), 16 * n);
}

TEST(one_per_cluster, guesses_at_objects_joined_or_with_one_neighbour) {
  // 0 - 1 - 2 - 3 in a chain, 3 to 4 below 0.
  const SparseMatrix chain = sparse_from_entries(
      {{0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {2, 3, 1}, {3, 2, 1}, {3, 4, -1}, {4, 3, -1}}, 5,
      5);
  const std::vector<std::int32_t> group{0, 1, 0, 0, 0};
  const OnePerCluster one(group, each_its_node(5), 5);
  EXPECT_THAT(one.near(chain, each_its_node(5)),
              testing::ElementsAre(NodePair(0, 2), NodePair(2, 3)));
}

TEST(one_per_cluster, joins_the_groups_of_objects_that_must_be_together) {
  LinkOptions given{{{0, 2}}, {}};
  given.one_per_cluster = {0, 0, 1, 1};
  const Constraints constraints = make_constraints(given, 4, {}, group_name, 0);
  ASSERT_NE(constraints.one_per_cluster, nullptr);
  EXPECT_EQ(constraints.conflicts, nullptr);
  EXPECT_TRUE(constraints.one_per_cluster->overlap());
  EXPECT_THAT(constraints.one_per_cluster->all(),
              testing::ElementsAre(NodePair(0, 1), NodePair(0, 2)));
  const Constraints few = make_constraints(given, 4, {}, group_name);
  EXPECT_EQ(few.one_per_cluster, nullptr);
  EXPECT_THAT(few.conflicts->lists()[0], testing::ElementsAre(1, 2));
}

TEST(one_per_cluster, contradicts_must_links_with_the_shortest_proof) {
  LinkOptions given{{{0, 1}, {1, 2}, {2, 3}, {3, 4}}, {}};
  given.one_per_cluster = {5, -1, -1, 5, 5};
  EXPECT_EQ(group_complaint(given, 5),
            "cannot_link_by: found 3 and 4 of one group, which must_link puts together (3 and 4); "
            "allowed: pairs that can all be satisfied");
  given.one_per_cluster = {5, -1, -1, 6, 5};
  EXPECT_THAT(group_complaint(given, 5), testing::HasSubstr("found 0 and 4 of one group"));
  given.one_per_cluster = {5, -1, -1, 6, 7};
  EXPECT_EQ(group_complaint(given, 5), "");
}

TEST(one_per_cluster, needs_as_many_clusters_as_a_group_has_nodes) {
  LinkOptions given;
  given.one_per_cluster = {1, 1, 2, 1, -1, -1};
  EXPECT_EQ(group_complaint(given, 6, 2),
            "cannot_link_by: found a group of 3 objects (0, 1, 3) of which no two may be "
            "together, but at most 2 clusters; allowed: at least that many clusters, or smaller "
            "groups");
  EXPECT_EQ(group_complaint(given, 6, 3), "");
  EXPECT_THAT(group_complaint(given, 5),
              testing::HasSubstr("found groups for 6 objects; allowed: one for each of the 5"));
  given.one_per_cluster = {1, 1, 2, 2, -1, -1};
  given.cannot_link = {{0, 2}, {0, 3}};  // 0 apart from 1, 2 and 3, and these two from each other
  EXPECT_NE(group_complaint(given, 6, 2), "");
  EXPECT_EQ(group_complaint(given, 6, 3), "");
}

}  // namespace
}  // namespace shiftcut

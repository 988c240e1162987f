#include "neighbors/regions/regions.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "neighbors/support.hpp"

namespace shiftcut {
namespace {

using neighbors_testing::recall;
using neighbors_testing::rows_of;
using testing_support::grouped_rows;

NeighborLists in_regions(const FeatureRows& rows, std::size_t k, std::size_t regions,
                         int threads = 2) {
  ThreadTeam team(threads);
  return region_search(rows, k, regions, team, Control{});
}

TEST(regions, find_nearly_all_neighbours_also_at_borders) {
  Rng rng(3);
  for (const std::size_t d : {2, 8, 24}) {
    const std::size_t n = 4000;
    const FeatureRows rows = rows_of(grouped_rows(n, d, 5, rng), n, d);
    ThreadTeam team(2);
    const NeighborLists exact =
        nearest_neighbors(rows, 10, team, Control{}, NeighborSearch::all_pairs);
    EXPECT_GT(recall(in_regions(rows, 10, 6), exact), 0.9) << d << " columns";
  }
}

TEST(regions, lists_have_different_others_nearest_first_for_any_number_of_threads) {
  Rng rng(4);
  const std::size_t n = 3000;
  const FeatureRows rows = rows_of(grouped_rows(n, 5, 4, rng), n, 5);
  const NeighborLists lists = in_regions(rows, 7, 5);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(lists.of(i).size(), 7U);
    const std::set<ObjectId> seen(lists.of(i).begin(), lists.of(i).end());
    ASSERT_EQ(seen.size(), 7U);
    ASSERT_FALSE(seen.contains(static_cast<ObjectId>(i)));
    ASSERT_TRUE(std::is_sorted(&lists.squared[i * 7], &lists.squared[i * 7] + 7));
  }
  const NeighborLists alone = in_regions(rows, 7, 5, 1);
  EXPECT_EQ(alone.ids, lists.ids);
  EXPECT_EQ(alone.squared, lists.squared);
}

TEST(regions, are_of_nearly_equal_sizes_and_hold_every_row) {
  Rng rng(5);
  const std::size_t n = 6000;
  const FeatureRows rows = rows_of(grouped_rows(n, 6, 3, rng), n, 6);
  ThreadTeam team(1);
  const Regions regions = make_regions(rows, 8, team);
  const RegionsOfRows of_rows = regions_of(rows, regions, team);
  std::vector<std::size_t> sizes(8, 0);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_LT(of_rows.offsets[i], of_rows.offsets[i + 1]);
  }
  for (const std::uint32_t region : of_rows.all) {
    ++sizes[region];
  }
  EXPECT_GT(std::ranges::min(sizes), n / 20);
  EXPECT_LT(std::ranges::max(sizes), n / 2);
}

TEST(regions, rows_far_out_and_columns_without_spread_do_no_harm) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 500; ++i) {
    values.insert(values.end(), {static_cast<double>(i % 50), 7.0,
                                 i == 0 ? 1e100 : 1e-3 * static_cast<double>(i)});
  }
  const NeighborLists lists = in_regions(rows_of(values, 500, 3), 5, 4);
  for (std::size_t i = 1; i < 500; ++i) {
    EXPECT_EQ(lists.of(i).size(), 5U) << i;
  }
}

TEST(merge_list, gives_the_same_in_any_order_and_limits_equal_rows) {
  std::mt19937 random(6);
  const std::size_t n = 60;
  const std::size_t k = 6;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<std::vector<ObjectId>, std::vector<double>>> found(4);
    std::vector<double> distance(n);
    for (double& squared : distance) {
      squared = static_cast<double>(random() % 5);  // many ties and many equal rows
    }
    for (auto& [ids, squared] : found) {
      for (std::size_t e = 0; e < k; ++e) {
        const auto id = static_cast<ObjectId>(1 + random() % (n - 1));
        if (std::ranges::find(ids, id) == ids.end()) {
          ids.push_back(id);
          squared.push_back(distance[id]);
        }
      }
    }
    NeighborLists forward(1, k);
    NeighborLists backward(1, k);
    const auto merge = [&](NeighborLists& into, const auto& one) {
      merge_list({into.ids, into.squared}, 0, n, one.first, one.second);
    };
    for (std::size_t f = 0; f < found.size(); ++f) {
      merge(forward, found[f]);
      merge(backward, found[found.size() - 1 - f]);
    }
    NeighborLists left(1, k);  // ((0, 1), (2, 3))
    NeighborLists right(1, k);
    merge(left, found[0]);
    merge(left, found[1]);
    merge(right, found[2]);
    merge(right, found[3]);
    merge_list({left.ids, left.squared}, 0, n, right.ids, right.squared);
    ASSERT_EQ(forward.ids, backward.ids);
    ASSERT_EQ(forward.ids, left.ids);
    ASSERT_EQ(forward.squared, backward.squared);
    const auto equal = std::ranges::count(forward.squared, 0.0);
    if (forward.of(0).size() == k && forward.squared[k - 1] > 0) {
      ASSERT_LE(static_cast<std::size_t>(equal), most_copies(k));
    }
  }
}

}  // namespace
}  // namespace shiftcut

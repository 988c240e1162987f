#include "descent/best_move.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

ClusterId to(const std::vector<double>& affinities, ClusterId own, double tolerance) {
  return best_move(affinities, own, tolerance).to;
}

TEST(best_move, goes_to_the_largest_affinity) {
  EXPECT_EQ(to({1, 5, 3}, 0, 0), 1U);
  EXPECT_EQ(to({1, 5, 3}, 1, 0), 1U);
  EXPECT_EQ(to({-7, -5, -3}, 0, 0), 2U);
  EXPECT_EQ(to({4}, 0, 0), 0U);
}

TEST(best_move, of_equal_affinities_takes_the_lowest_number) {
  EXPECT_EQ(to({0, 2, 5, 5, 5}, 0, 0), 2U);
  EXPECT_EQ(to({5, 2, 5, 0}, 3, 0), 0U);
}

TEST(best_move, stays_where_nothing_is_better) {
  EXPECT_EQ(to({5, 5, 5}, 1, 0), 1U);
  EXPECT_EQ(to({5, 2, 5}, 2, 0), 2U);
}

TEST(best_move, stays_unless_the_gain_exceeds_the_tolerance) {
  EXPECT_EQ(to({1.0, 1.5}, 0, 0.5), 0U);
  EXPECT_EQ(to({1.0, 1.5000001}, 0, 0.5), 1U);
  EXPECT_EQ(to({1.5, 1.0}, 1, 0.5), 1U);
}

TEST(best_move, takes_affinities_within_the_tolerance_for_equal) {
  EXPECT_EQ(to({0, 4.75, 5, 4.5}, 0, 0.5), 1U);
  EXPECT_EQ(to({0, 4.25, 5, 4.5}, 0, 0.5), 2U);
  // Cluster 1 ties with the best, but is no gain over the object's own.
  EXPECT_EQ(to({4.5, 4.75, 5.25}, 0, 0.5), 2U);
}

TEST(best_move, margin_is_the_lead_over_all_others) {
  EXPECT_EQ(best_move(std::vector<double>{1, 5, 3}, 0, 0).margin, 2);
  EXPECT_EQ(best_move(std::vector<double>{1, 5, 3}, 1, 0).margin, 2);
  EXPECT_EQ(best_move(std::vector<double>{0, 5, 5}, 0, 0).margin, 0);
  EXPECT_EQ(best_move(std::vector<double>{1, 1.25}, 0, 0.5).margin, -0.25) << "stays, yet behind";
  EXPECT_EQ(best_move(std::vector<double>{3}, 0, 0).margin,
            std::numeric_limits<double>::infinity());
}

// The rule said in full: the lowest number among those within the tolerance of the best and better
// than the own by more than it.
TEST(best_move, follows_its_rule_on_random_ties) {
  Rng rng(1);
  for (int round = 0; round < 20000; ++round) {
    std::vector<double> affinities(1 + rng.below(8));
    for (double& a : affinities) {
      a = rng.below(7) * 0.25;
    }
    const ClusterId own = rng.below(static_cast<std::uint32_t>(affinities.size()));
    const double tolerance = rng.below(4) * 0.25;
    const double best = *std::max_element(affinities.begin(), affinities.end());
    ClusterId expected = own;
    for (ClusterId k = 0; k < affinities.size(); ++k) {
      if (best - affinities[k] <= tolerance && affinities[k] - affinities[own] > tolerance) {
        expected = k;
        break;
      }
    }
    const BestMove move = best_move(affinities, own, tolerance);
    ASSERT_EQ(move.to, expected);
    ASSERT_TRUE(move.to == own || affinities[move.to] > affinities[own]);
  }
}

ClusterId plain_first_empty(const std::vector<ClusterId>& labels, std::size_t count) {
  for (ClusterId k = 0; k < count; ++k) {
    if (std::find(labels.begin(), labels.end(), k) == labels.end()) {
      return k;
    }
  }
  return kNoCluster;
}

void expect_agrees(Slots& slots, const std::vector<ClusterId>& labels) {
  for (ClusterId k = 0; k < slots.count(); ++k) {
    ASSERT_EQ(slots.size(k), static_cast<double>(std::count(labels.begin(), labels.end(), k)));
  }
  ASSERT_EQ(slots.first_empty(), plain_first_empty(labels, slots.count()));
}

// Random moves, often into the empty cluster; `clusters` empty: K is free.
void expect_holds_through_moves(std::optional<std::size_t> clusters, std::uint64_t seed) {
  Rng rng(seed);
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 1 + rng.below(12);
    const auto start = static_cast<std::uint32_t>(clusters.value_or(1 + rng.below(6)));
    std::vector<ClusterId> labels(n);
    for (ClusterId& label : labels) {
      label = rng.below(start);
    }
    Slots slots(labels, clusters);
    EXPECT_EQ(slots.free(), !clusters);
    expect_agrees(slots, labels);
    for (int move = 0; move < 200; ++move) {
      const std::size_t object = rng.below(static_cast<std::uint32_t>(n));
      ClusterId to = rng.below(static_cast<std::uint32_t>(slots.count()));
      if (rng.below(2) == 0 && slots.first_empty() != kNoCluster) {
        to = slots.first_empty();
      }
      if (to == labels[object]) {
        continue;
      }
      slots.move(labels[object], to, 1);
      labels[object] = to;
      expect_agrees(slots, labels);
      if (clusters) {
        ASSERT_EQ(slots.count(), *clusters);
      } else {
        ASSERT_NE(slots.first_empty(), kNoCluster) << "with K free one can always be opened";
        ASSERT_LE(slots.count(), std::max<std::size_t>(start, n) + 1);
      }
    }
  }
}

TEST(slots, with_k_free_always_have_an_empty_cluster_the_lowest_first) {
  expect_holds_through_moves(std::nullopt, 1);
}

TEST(slots, with_k_given_stay_k_and_know_the_lowest_empty_one) {
  for (const std::size_t clusters : {1U, 2U, 3U, 7U, 20U}) {
    expect_holds_through_moves(clusters, clusters);
  }
}

TEST(slots, with_k_given_may_all_be_full) {
  const std::vector<ClusterId> labels = {0, 1, 1};
  Slots slots(labels, 2);
  EXPECT_EQ(slots.first_empty(), kNoCluster);
  EXPECT_EQ(slots.count(), 2U);
}

TEST(slots, with_k_free_open_a_further_one_where_all_are_full) {
  const std::vector<ClusterId> labels = {0, 1, 1};
  Slots slots(labels, std::nullopt);
  EXPECT_EQ(slots.count(), 3U);
  EXPECT_EQ(slots.first_empty(), 2U);
}

}  // namespace
}  // namespace shiftcut

#include "descent/slots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

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

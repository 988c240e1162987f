#include "core/keep_numbers.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

using Labels = std::vector<std::int32_t>;

TEST(KeepNumbers, follow_the_objects) {
  Labels labels = {1, 1, 0, 0, 2};
  EXPECT_EQ(keep_numbers(Labels{0, 0, 1, 1, 1}, labels), 1);
  EXPECT_EQ(labels, (Labels{0, 0, 1, 1, 2}));
}

TEST(KeepNumbers, by_weight_where_there_are_weights) {
  Labels labels = {0, 0, 1};
  const std::vector<std::uint32_t> weights = {1, 5, 2};
  EXPECT_EQ(keep_numbers(Labels{0, 1, 0}, labels, weights), 1);
  EXPECT_EQ(labels, (Labels{1, 1, 0}));
}

TEST(KeepNumbers, leave_out_objects_without_a_cluster) {
  Labels labels = {-1, 1, 0};
  EXPECT_EQ(keep_numbers(Labels{-1, 0, -1}, labels), 1);
  EXPECT_EQ(labels, (Labels{-1, 0, 1}));
}

TEST(KeepNumbers, never_change_the_partition_and_count_what_differs) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    const std::size_t n = 1 + rng.below(60);
    Labels before;
    Labels labels;
    for (std::size_t i = 0; i < n; ++i) {
      before.push_back(static_cast<std::int32_t>(rng.below(5)));
      labels.push_back(static_cast<std::int32_t>(rng.below(7)));
    }
    Labels kept = labels;
    const std::size_t changed = keep_numbers(before, kept);
    std::size_t differ = 0;
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    for (std::size_t i = 0; i < n; ++i) {
      differ += before[i] != kept[i] ? 1 : 0;
      pairs.emplace(labels[i], kept[i]);
    }
    EXPECT_EQ(changed, differ);
    const std::set<std::int32_t> olds(labels.begin(), labels.end());
    const std::set<std::int32_t> news(kept.begin(), kept.end());
    EXPECT_EQ(pairs.size(), olds.size());
    EXPECT_EQ(pairs.size(), news.size());
  }
}

}  // namespace
}  // namespace shiftcut

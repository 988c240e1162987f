#include "core/partition.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

std::vector<ClusterId> some_labels(std::size_t n, std::uint32_t clusters, Rng& rng) {
  std::vector<ClusterId> labels(n);
  for (ClusterId& label : labels) {
    label = rng.below(clusters);
  }
  return labels;
}

TEST(partition, keeps_the_grouping_and_counts_it) {
  Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + rng.below(60);
    const auto labels = some_labels(n, 1 + rng.below(12), rng);
    const Partition partition = by_decreasing_size(labels);
    ASSERT_EQ(partition.labels.size(), n);
    std::vector<std::size_t> sizes(partition.sizes.size(), 0);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_GE(partition.labels[i], 0);
      ASSERT_LT(static_cast<std::size_t>(partition.labels[i]), sizes.size());
      ++sizes[static_cast<std::size_t>(partition.labels[i])];
      for (std::size_t j = 0; j < n; ++j) {
        ASSERT_EQ(labels[i] == labels[j], partition.labels[i] == partition.labels[j]);
      }
    }
    EXPECT_EQ(sizes, partition.sizes);
  }
}

TEST(partition, sizes_decrease_and_ties_go_by_the_first_object) {
  Rng rng(2);
  for (int round = 0; round < 200; ++round) {
    const auto labels = some_labels(1 + rng.below(40), 10, rng);
    const Partition partition = by_decreasing_size(labels);
    std::vector<std::size_t> first(partition.sizes.size(), labels.size());
    for (std::size_t i = labels.size(); i-- > 0;) {
      first[static_cast<std::size_t>(partition.labels[i])] = i;
    }
    for (std::size_t k = 1; k < partition.sizes.size(); ++k) {
      EXPECT_GE(partition.sizes[k - 1], partition.sizes[k]);
      EXPECT_GT(partition.sizes[k], 0U);
      EXPECT_TRUE(partition.sizes[k - 1] > partition.sizes[k] || first[k - 1] < first[k]);
    }
  }
}

TEST(partition, does_not_depend_on_the_names_of_the_clusters) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t clusters = 1 + rng.below(9);
    const auto labels = some_labels(1 + rng.below(40), clusters, rng);
    std::vector<ClusterId> names(clusters + 5);
    std::iota(names.begin(), names.end(), ClusterId{0});
    for (std::uint32_t i = clusters + 5; i > 1; --i) {
      std::swap(names[i - 1], names[rng.below(i)]);
    }
    auto renamed = labels;
    for (ClusterId& label : renamed) {
      label = names[label];
    }
    const Partition a = by_decreasing_size(labels);
    const Partition b = by_decreasing_size(renamed);
    EXPECT_EQ(a.labels, b.labels);
    EXPECT_EQ(a.sizes, b.sizes);
  }
}

TEST(partition, is_known_for_a_few_objects) {
  const std::vector<ClusterId> labels = {9, 4, 4, 2, 9, 7, 4};
  const Partition partition = by_decreasing_size(labels);
  EXPECT_EQ(partition.labels, (std::vector<std::int32_t>{1, 0, 0, 2, 1, 3, 0}));
  EXPECT_EQ(partition.sizes, (std::vector<std::size_t>{3, 2, 1, 1}));
  EXPECT_TRUE(by_decreasing_size({}).labels.empty());
  EXPECT_TRUE(by_decreasing_size({}).sizes.empty());
}

}  // namespace
}  // namespace shiftcut

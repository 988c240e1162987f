#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/kernel_numbers.hpp"
#include "core/kernels/kernels.hpp"

namespace shiftcut {
namespace {

using namespace kernel_testing;

TEST(selection_kernels, lower_slack_never_leaves_more_than_exact_arithmetic) {
  Rng rng(8);
  for (int round = 0; round < 400; ++round) {
    const std::size_t count = 1 + rng.below(kLongest);
    std::vector<float> slack(count);
    std::vector<std::uint32_t> labels(count);
    std::vector<float> drop(1 + rng.below(9));
    const float unit = std::pow(10.0F, static_cast<float>(rng.below(12)) - 6);
    for (float& x : drop) {
      x = rng.below(4) == 0 ? 0.0F : unit * static_cast<float>(rng.uniform());
    }
    for (std::size_t i = 0; i < count; ++i) {
      slack[i] = static_cast<float>(std::pow(10.0, 8 * rng.uniform() - 4));
      labels[i] = rng.below(static_cast<std::uint32_t>(drop.size()));
    }
    const float by = rng.below(3) == 0 ? 0.0F : unit * static_cast<float>(rng.uniform());
    auto lowered = guarded(slack);
    const float lowest = lower_slack(lowered.data(), labels.data(), drop.data(), by, count);
    for (std::size_t i = 0; i < count; ++i) {
      const double taken = static_cast<double>(drop[labels[i]]) + by;
      const double exact = slack[i] - taken;
      ASSERT_LE(lowered[i], exact);
      ASSERT_GE(lowered[i], exact - 1e-5 * (slack[i] + taken));
    }
    ASSERT_EQ(lowered[count], static_cast<float>(kGuard));
    EXPECT_EQ(lowest, *std::min_element(lowered.begin(), lowered.end() - 1));
  }
}

// Such an object is judged again: what matters is that its slack does not come back.
TEST(selection_kernels, lower_slack_keeps_what_is_used_up_used_up) {
  std::vector<float> slack(33, -3.0F);
  std::fill(slack.begin(), slack.begin() + 10, 0.0F);
  const std::vector<std::uint32_t> labels(33, 0);
  const float none = 0;
  EXPECT_LE(lower_slack(slack.data(), labels.data(), &none, 0, slack.size()), -2.9F);
  for (const float s : slack) {
    EXPECT_LE(s, 0.0F);
  }
}

TEST(selection_kernels, list_low_lists_what_is_not_above_the_limit) {
  Rng rng(9);
  for (std::size_t count = 0; count <= kLongest; ++count) {
    std::vector<float> slack(count);
    for (float& s : slack) {
      s = static_cast<float>(rng.below(5));
    }
    for (const float limit : {-1.0F, 0.0F, 2.0F, 4.0F}) {
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < count; ++i) {
        if (slack[i] <= limit) {
          expected.push_back(1000 + i);
        }
      }
      std::vector<std::uint32_t> out(count);
      out.resize(list_at_most(slack.data(), count, limit, 1000, out.data()));
      EXPECT_EQ(out, expected);
    }
  }
}

TEST(selection_kernels, minimum_is_the_smallest_wherever_it_stands) {
  Rng rng(10);
  for (std::size_t count = 1; count <= kLongest; ++count) {
    for (std::size_t place = 0; place < count; ++place) {
      auto values = numbers<float>(count, rng);
      values[place] = -100;
      values.push_back(-1000);  // behind the end
      ASSERT_EQ(minimum(values.data(), count), -100) << place << " of " << count;
    }
  }
}

TEST(selection_kernels, index_of_maximum_is_the_first_of_equal_maxima) {
  Rng rng(12);
  for (std::size_t count = 1; count <= kLongest; ++count) {
    for (std::size_t where = 0; where < count; ++where) {
      auto values = numbers<float>(count, rng);
      values[where] = 100;
      values[where + rng.below(static_cast<std::uint32_t>(count - where))] = 100;
      ASSERT_EQ(index_of_maximum(values.data(), count), where) << count;
      values[where] = std::numeric_limits<float>::infinity();
      ASSERT_EQ(index_of_maximum(values.data(), count), where) << count;
    }
  }
}

TEST(selection_kernels, list_outdone_lists_whose_own_row_is_not_the_highest) {
  Rng rng(22);
  for (std::size_t count = 0; count <= 2 * kLongest; ++count) {
    const std::size_t rows = 1 + rng.below(5);
    std::vector<float> table = numbers<float>(rows * count, rng);
    std::vector<std::uint32_t> labels(count);
    for (std::uint32_t& label : labels) {
      label = rng.below(static_cast<std::uint32_t>(rows));
    }
    const float margin = rng.below(2) == 0 ? 0.0F : 0.5F;
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < count; ++i) {
      float best = table[i];
      for (std::size_t k = 1; k < rows; ++k) {
        best = std::max(best, table[k * count + i]);
      }
      if (best > table[labels[i] * count + i] + margin) {
        expected.push_back(static_cast<std::uint32_t>(i));
      }
    }
    std::vector<std::uint32_t> out(count);
    out.resize(list_improvable(table.data(), rows, labels.data(), count, margin, out.data()));
    ASSERT_EQ(out, expected) << count;
  }
}

TEST(selection_kernels, top_two_are_the_two_largest_and_ties_go_to_the_lowest_place) {
  Rng rng(11);
  for (std::size_t rows = 0; rows <= 40; ++rows) {
    for (const std::size_t count : {1, 2, 3, 15, 16, 17, 40}) {
      const std::size_t width = (count + kPanel - 1) / kPanel * kPanel;
      std::vector<float> values(rows * width, 1e9F);  // the padding does not count
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t k = 0; k < count; ++k) {
          values[r * width + k] = static_cast<float>(rng.below(6)) - 3;  // many ties
        }
      }
      TopTwo found;
      top_two(values.data(), rows, width, count, found);
      ASSERT_EQ(found.first.size(), rows);
      for (std::size_t r = 0; r < rows; ++r) {
        std::vector<float> row(values.data() + r * width, values.data() + r * width + count);
        const auto largest = std::max_element(row.begin(), row.end());
        ASSERT_EQ(found.index[r], static_cast<std::size_t>(largest - row.begin()));
        std::sort(row.begin(), row.end(), std::greater<>());
        ASSERT_EQ(found.first[r], row[0]);
        ASSERT_EQ(found.second[r], count > 1 ? row[1] : -std::numeric_limits<float>::infinity());
      }
    }
  }
}

TEST(selection_kernels, insert_lowest_keeps_the_lowest_in_order) {
  Rng rng(14);
  for (int round = 0; round < 500; ++round) {
    const std::size_t count = kKeysPerStep * (1 + rng.below(4));
    std::vector<std::int64_t> all(1 + rng.below(90));
    for (std::int64_t& key : all) {
      key = static_cast<std::int64_t>(rng.below(2) == 0 ? rng.below(40) : rng.below(1U << 31))
            << (rng.below(2) == 0 ? 0 : 31);
    }
    constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> list(count + 2, kHighest);
    list.front() = -1;
    list.back() = 12345;
    const std::size_t first = rng.below(static_cast<std::uint32_t>(all.size()));
    insert_lowest(&list[1], count, all.data(), first);
    insert_lowest(&list[1], count, &all[first], all.size() - first);
    std::sort(all.begin(), all.end());
    all.resize(count, kHighest);
    ASSERT_EQ(std::vector<std::int64_t>(list.begin() + 1, list.end() - 1), all);
    ASSERT_EQ(list.front(), -1);
    ASSERT_EQ(list.back(), 12345);
  }
}

}  // namespace
}  // namespace shiftcut

#include "descent/sweep_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace shiftcut {
namespace {

// Around the borders between a uniform permutation, runs of 16 and runs of 64.
const std::vector<std::size_t> kCounts = {1,     2,     100,    8191,   8192,   8193,  8208,
                                          10000, 10007, 262143, 262144, 262145, 300007};

std::vector<ObjectId> objects_of(const SweepOrder& order) {
  std::vector<ObjectId> objects(order.size());
  order.fill(0, order.size(), objects.data());
  return objects;
}

TEST(sweep_order, visits_every_object_exactly_once) {
  for (const std::size_t n : kCounts) {
    Rng rng(1, n);
    SweepOrder order(n);
    EXPECT_EQ(order.size(), n);
    for (int sweep = 0; sweep < 3; ++sweep) {
      std::vector<int> visits(n, 0);
      for (const ObjectId object : objects_of(order)) {
        ASSERT_LT(object, n);
        ++visits[object];
      }
      ASSERT_EQ(visits, std::vector<int>(n, 1)) << "n = " << n;
      order.shuffle(rng);
    }
  }
}

TEST(sweep_order, filled_in_pieces_is_the_order_filled_at_once) {
  for (const std::size_t n : kCounts) {
    Rng rng(2, n);
    SweepOrder order(n);
    order.shuffle(rng);
    const std::vector<ObjectId> whole = objects_of(order);
    for (const std::uint32_t longest : {7U, 100U, 5000U}) {
      std::vector<ObjectId> pieces(n);
      for (std::size_t begin = 0; begin < n;) {
        const std::size_t count = std::min<std::size_t>(1 + rng.below(longest), n - begin);
        order.fill(begin, count, &pieces[begin]);
        begin += count;
      }
      ASSERT_EQ(pieces, whole) << "n = " << n << ", pieces of up to " << longest;
    }
  }
}

TEST(sweep_order, places_are_where_fill_puts_objects) {
  for (const std::size_t n : kCounts) {
    Rng rng(3, n);
    SweepOrder order(n);
    const std::size_t length = SweepOrder::run_length(n);
    for (int sweep = 0; sweep < 2; ++sweep) {
      order.shuffle(rng);
      const std::vector<ObjectId> objects = objects_of(order);
      for (std::size_t position = 0; position < n; ++position) {
        const std::size_t index = position / length;
        ASSERT_EQ(objects[position] / length, order.run(index)) << "n = " << n;
        ASSERT_EQ(order.places(index).place(objects[position]), position % length) << "n = " << n;
      }
    }
  }
}

TEST(sweep_order, runs_grow_with_the_number_of_objects) {
  EXPECT_EQ(SweepOrder::run_length(1), 1U);
  EXPECT_EQ(SweepOrder::run_length(8192), 1U);
  EXPECT_EQ(SweepOrder::run_length(8193), 16U);
  EXPECT_EQ(SweepOrder::run_length(262144), 16U);
  EXPECT_EQ(SweepOrder::run_length(262145), 64U);
}

TEST(sweep_order, differs_from_sweep_to_sweep_and_from_stream_to_stream) {
  for (const std::size_t n : {100U, 10000U, 300007U}) {
    Rng rng(4, 0);
    Rng other_stream(4, 1);
    SweepOrder order(n);
    SweepOrder other(n);
    order.shuffle(rng);
    other.shuffle(other_stream);
    const auto first = objects_of(order);
    EXPECT_NE(first, objects_of(other));
    order.shuffle(rng);
    const auto second = objects_of(order);
    EXPECT_NE(first, second);
    std::size_t same = 0;
    for (std::size_t i = 0; i < n; ++i) {
      same += first[i] == second[i] ? 1 : 0;
    }
    EXPECT_LE(same, n / 10);
  }
}

TEST(sweep_order, is_the_same_for_the_same_random_numbers) {
  for (const std::size_t n : {100U, 10000U, 300007U}) {
    Rng a(5);
    Rng b(5);
    SweepOrder first(n);
    SweepOrder second(n);
    first.shuffle(a);
    second.shuffle(b);
    EXPECT_EQ(objects_of(first), objects_of(second));
  }
}

TEST(sweep_order, of_a_few_objects_is_every_permutation_equally_often) {
  Rng rng(6);
  SweepOrder order(4);
  std::map<std::vector<ObjectId>, int> counts;
  const int each = 1000;
  for (int sweep = 0; sweep < 24 * each; ++sweep) {
    order.shuffle(rng);
    ++counts[objects_of(order)];
  }
  EXPECT_EQ(counts.size(), 24U);
  for (const auto& [objects, count] : counts) {
    EXPECT_NEAR(count, each, 6 * 32);
  }
}

// Each run has its own random start and stride.
TEST(sweep_order, walks_the_runs_of_a_long_order_in_different_ways) {
  Rng rng(7);
  const std::size_t n = 300000;
  SweepOrder order(n);
  order.shuffle(rng);
  const auto objects = objects_of(order);
  std::map<std::pair<std::size_t, std::size_t>, int> walks;
  for (std::size_t begin = 0; begin + 64 <= n; begin += 64) {
    ++walks[{objects[begin] % 64, (objects[begin + 1] + 64 - objects[begin]) % 64}];
  }
  EXPECT_GT(walks.size(), 1500U) << "of 64 places and 32 strides";
}

}  // namespace
}  // namespace shiftcut

#include "feedback/pair_scores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

constexpr std::array kPair = {0.0, 1.0, 1.0, 0.0};

// The worked numbers of two objects that are alike.
TEST(mean_field, two_alike_objects_come_to_the_known_limit) {
  const MeanField start{2, {0.6, 0.4, 0.6, 0.4}};
  const MeanField step = mean_field(kPair, {}, start, 3, 1);
  EXPECT_NEAR(step.chances[0], 0.6456563, 1e-7);
  EXPECT_NEAR(step.chances[1], 0.3543437, 1e-7);
  const MeanField limit = mean_field(kPair, {}, start, 3, 200);
  EXPECT_NEAR(limit.of(0)[0], 0.9292798, 1e-6);
  EXPECT_NEAR(limit.of(1)[1], 0.0707202, 1e-6);
  EXPECT_NEAR(limit.together(0, 1), 0.8685623, 1e-6);
  EXPECT_NEAR(binary_entropy(limit.together(0, 1)), 0.3891106, 1e-6);
}

TEST(mean_field, objects_elsewhere_count_as_if_they_were_fixed) {
  Rng rng(1);
  constexpr std::size_t m = 7;
  constexpr std::size_t k = 3;
  std::vector<double> s(m * m, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      s[i * m + j] = s[j * m + i] = 2 * rng.uniform() - 1;
    }
  }
  // The last object stays in cluster 2: once as one whose chances are so, once as something
  // outside.
  std::vector<double> outside((m - 1) * k, 0.0);
  std::vector<double> inner((m - 1) * (m - 1));
  for (std::size_t i = 0; i + 1 < m; ++i) {
    outside[i * k + 2] = s[i * m + m - 1];
    for (std::size_t j = 0; j + 1 < m; ++j) {
      inner[i * (m - 1) + j] = s[i * m + j];
    }
  }
  std::vector<double> pinned(m * k, 0.0);
  pinned[(m - 1) * k + 2] = 1e6;
  MeanField all{k, std::vector<double>(m * k, 1.0 / 3)};
  std::fill(all.chances.begin() + (m - 1) * k, all.chances.end(), 0.0);
  all.chances.back() = 1;
  const MeanField part{k, std::vector<double>((m - 1) * k, 1.0 / 3)};
  const MeanField one = mean_field(s, pinned, all, 3, 50);
  const MeanField other = mean_field(inner, outside, part, 3, 50);
  for (std::size_t e = 0; e < other.chances.size(); ++e) {
    EXPECT_NEAR(one.chances[e], other.chances[e], 1e-12);
  }
}

TEST(mean_field, chances_of_each_object_sum_to_one) {
  const MeanField limit = mean_field(kPair, {}, {2, {0.1, 0.9, 0.7, 0.3}}, 3, 20);
  EXPECT_NEAR(limit.of(0)[0] + limit.of(0)[1], 1, 1e-12);
  EXPECT_NEAR(limit.of(1)[0] + limit.of(1)[1], 1, 1e-12);
}

TEST(mean_field, entropy_is_none_where_all_is_certain_and_most_at_a_half) {
  EXPECT_EQ(binary_entropy(0), 0);
  EXPECT_EQ(binary_entropy(1), 0);
  EXPECT_DOUBLE_EQ(binary_entropy(0.5), std::log(2));
}

using testing::DoubleNear;
using testing::ElementsAre;

// ij .8, ik .5, jk -.3.
constexpr Sides kSides = {0.8, 0.5, -0.3};

TEST(triangles, costs_of_the_five_groupings_are_the_worked_ones) {
  EXPECT_THAT(grouping_costs(kSides),
              ElementsAre(DoubleNear(0.3, 1e-12), DoubleNear(0.5, 1e-12), DoubleNear(0.8, 1e-12),
                          DoubleNear(1.6, 1e-12), DoubleNear(1.3, 1e-12)));
}

TEST(triangles, the_expected_cost_is_the_worked_one) {
  EXPECT_NEAR(expected_cost(kSides), 0.6879026, 1e-7);
}

TEST(triangles, the_weakest_side_is_the_one_to_ask_about) {
  EXPECT_EQ(weakest_side(kSides), 2U);
  EXPECT_EQ(weakest_side({0.2, 0.5, -0.3}), 0U);
  EXPECT_EQ(weakest_side({0.5, -0.5, 0.5}), 0U);
}

TEST(triangles, are_bad_with_exactly_two_positive_sides) {
  EXPECT_TRUE(is_inconsistent(kSides));
  EXPECT_FALSE(is_inconsistent({0.8, 0.5, 0.3}));
  EXPECT_FALSE(is_inconsistent({0.8, -0.5, -0.3}));
  EXPECT_FALSE(is_inconsistent({-0.8, -0.5, -0.3}));
  EXPECT_FALSE(is_inconsistent({0.8, 0, -0.3}));
}

}  // namespace
}  // namespace shiftcut

#include "feedback/triangles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shiftcut {
namespace {

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
  EXPECT_TRUE(is_bad(kSides));
  EXPECT_FALSE(is_bad({0.8, 0.5, 0.3}));
  EXPECT_FALSE(is_bad({0.8, -0.5, -0.3}));
  EXPECT_FALSE(is_bad({-0.8, -0.5, -0.3}));
  EXPECT_FALSE(is_bad({0.8, 0, -0.3}));
}

}  // namespace
}  // namespace shiftcut

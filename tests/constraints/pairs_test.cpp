#include "constraints/pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace shiftcut {
namespace {

TEST(satisfied_pairs, are_those_a_grouping_agrees_with) {
  const std::vector<ClusterId> labels = {0, 0, 1, 1};
  const LinkOptions pairs{{{0, 1}, {1, 2}}, {{0, 3}, {2, 3}}};
  EXPECT_THAT(satisfied_pairs(pairs, labels), testing::ElementsAre(true, false, true, false));
  EXPECT_TRUE(satisfied_pairs({}, labels).empty());
}

TEST(satisfied_pairs, one_more_of_one_that_differ_is_not_sure) {
  EXPECT_EQ(significantly_more({false, true}, {true, true}), 0);
  EXPECT_DOUBLE_EQ(significantly_more({false, false, false}, {true, true, true}),
                   3 - std::sqrt(3.0));
  EXPECT_LT(significantly_more({false, true, false}, {true, false, true}), 0);
  EXPECT_EQ(significantly_more({true, false}, {true, false}), 0);
}

}  // namespace
}  // namespace shiftcut

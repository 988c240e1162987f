#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/rng.hpp"
#include "descent/features/gram_judge.hpp"

namespace shiftcut {
namespace {

TEST(rounding, down_is_never_above_and_up_never_below_at_any_magnitude) {
  Rng rng(1);
  for (int round = 0; round < 20000; ++round) {
    const double value = (rng.uniform() - 0.5) * std::pow(10.0, 40 * rng.uniform() - 20);
    const double down = round_down(value);
    const double up = round_up(value);
    EXPECT_LE(down, value);
    EXPECT_GE(up, value);
    EXPECT_NEAR(down, value, 2e-6 * std::abs(value));
    EXPECT_NEAR(up, value, 2e-6 * std::abs(value));
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(round_down(infinity), infinity);
  EXPECT_EQ(round_down(-infinity), -infinity);
  EXPECT_EQ(round_up(infinity), infinity);
  EXPECT_EQ(round_down(0), 0);
}

}  // namespace
}  // namespace shiftcut

#include "core/kernels/elementary.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// How far apart two numbers are, in units in the last place of the first.
double units_apart(double expected, double found) {
  const double unit = std::nextafter(std::abs(expected), kInfinity) - std::abs(expected);
  return std::abs(expected - found) / unit;
}

TEST(Elementary, exp_and_log_are_within_two_units_in_the_last_place) {
  Rng rng(1);
  for (int i = 0; i < 200'000; ++i) {
    const double x = 1400 * rng.uniform() - 700;
    ASSERT_LE(units_apart(std::exp(x), portable_exp(x)), 2) << x;
    const double small = rng.uniform() - 0.5;
    ASSERT_LE(units_apart(std::exp(small), portable_exp(small)), 2) << small;
    const double positive = std::exp(x);
    ASSERT_LE(units_apart(std::log(positive), portable_log(positive)), 2) << positive;
    const double near_one = 1 + small;
    ASSERT_LE(units_apart(std::log(near_one), portable_log(near_one)), 2) << near_one;
    ASSERT_LE(units_apart(std::log1p(small), portable_log1p(small)), 4) << small;
    ASSERT_NEAR(std::tanh(4 * small), portable_tanh(4 * small), 1e-15) << small;
  }
}

TEST(Elementary, the_ends_of_the_range_are_as_in_the_c_library) {
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(kInfinity), kInfinity);
  EXPECT_EQ(portable_exp(710), kInfinity);
  EXPECT_EQ(portable_exp(-kInfinity), 0);
  EXPECT_EQ(portable_exp(-746), 0);
  EXPECT_TRUE(std::isnan(portable_exp(std::nan(""))));
  EXPECT_NEAR(portable_exp(709.7) / std::exp(709.7), 1, 1e-15);
  EXPECT_NEAR(portable_exp(-740) / std::exp(-740), 1, 1e-2);  // few digits are left down there
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_log(0), -kInfinity);
  EXPECT_EQ(portable_log(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(portable_log(-1)));
  EXPECT_NEAR(portable_log(4.9e-324), std::log(4.9e-324), 1e-12);
  EXPECT_EQ(portable_log1p(1e-300), 1e-300);
  EXPECT_EQ(portable_tanh(kInfinity), 1);
  EXPECT_EQ(portable_tanh(-kInfinity), -1);
}

// Frozen: other processors and compilers must give these bits, too.
TEST(Elementary, the_bits_are_the_same_everywhere) {
  Rng rng(7);
  std::uint64_t hash = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double x = 200 * rng.uniform() - 100;
    for (const double y : {portable_exp(x), portable_log(std::abs(x)), portable_tanh(x / 50)}) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(y)) * 0x9e3779b97f4a7c15ULL;
    }
  }
  EXPECT_EQ(hash, 17614276927127027717U);
}

}  // namespace
}  // namespace shiftcut

#include "similarity/minimise.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shiftcut {
namespace {

TEST(minimise, finds_the_bottom_of_a_narrow_valley) {  // Rosenbrock's
  const auto valley = [](std::span<const double> x, std::span<double> gradient) {
    const double bend = x[1] - x[0] * x[0];
    gradient[0] = -400 * x[0] * bend - 2 * (1 - x[0]);
    gradient[1] = 200 * bend;
    return 100 * bend * bend + (1 - x[0]) * (1 - x[0]);
  };
  const std::vector<double> x = minimise(valley, {-1.2, 1}, 1e-9, 500);
  EXPECT_NEAR(x[0], 1, 1e-5);
  EXPECT_NEAR(x[1], 1, 1e-5);
}

TEST(minimise, stays_where_nothing_is_lower) {
  const auto bowl = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = 2 * x[0];
    return x[0] * x[0];
  };
  EXPECT_EQ(minimise(bowl, {0}, 1e-9, 10)[0], 0);
}

TEST(minimise, solves_a_badly_scaled_quadratic) {
  constexpr std::size_t d = 30;
  const auto bowl = [](std::span<const double> x, std::span<double> gradient) {
    double value = 0;
    for (std::size_t i = 0; i < d; ++i) {
      const double scale = std::pow(1.2, static_cast<double>(i));
      const double away = x[i] - static_cast<double>(i);
      value += scale * away * away;
      gradient[i] = 2 * scale * away;
    }
    return value;
  };
  const std::vector<double> x = minimise(bowl, std::vector<double>(d, 0.0), 1e-10, 1000);
  for (std::size_t i = 0; i < d; ++i) {
    EXPECT_NEAR(x[i], static_cast<double>(i), 1e-3);
  }
}

}  // namespace
}  // namespace shiftcut

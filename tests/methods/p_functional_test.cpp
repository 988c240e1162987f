#include "methods/spectral/p_laplacian.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "methods/graphs.hpp"

namespace shiftcut::methods {
namespace {

std::vector<double> random_numbers(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> numbers(n);
  for (double& number : numbers) {
    number = rng.uniform() - 0.5;
  }
  return numbers;
}

TEST(p_functional, powers_are_those_of_the_standard_library) {
  const double one = 1;
  for (const double p : {1.01, 1.2, 1.5, 1.9, 2.0}) {
    for (double x = 1e-290; x < 1e30; x *= 1.7) {
      const double v = -x;
      const double power = row_sums(&one, &v, 0, p, 1).slopes;
      EXPECT_NEAR(power / std::pow(x, p - 1), 1, 1e-13) << x << " " << p;
      float curvature = 0;
      row_curvatures(&one, &v, 0, p, 1e-12, &curvature, 1);
      EXPECT_NEAR(curvature / std::pow(std::max(x, 1e-12), p - 2), 1, 1e-6);
    }
    const RowSums none = row_sums(&one, &one, 1, p, 1);
    EXPECT_EQ(none.powers, 0);
    EXPECT_EQ(none.slopes, 0);
  }
}

TEST(p_functional, sums_of_any_length_are_those_of_a_plain_loop) {
  for (const std::size_t length : {0, 1, 7, 8, 9, 31}) {
    std::vector<double> w = random_numbers(length, 1);
    const std::vector<double> v = random_numbers(length, 2);
    double powers = 0;
    double slopes = 0;
    for (std::size_t j = 0; j < length; ++j) {
      w[j] = std::abs(w[j]);
      powers += w[j] * std::pow(std::abs(0.1 - v[j]), 1.3);
      slopes += w[j] * std::copysign(std::pow(std::abs(0.1 - v[j]), 0.3), 0.1 - v[j]);
    }
    const RowSums sums = row_sums(w.data(), v.data(), 0.1, 1.3, length);
    EXPECT_NEAR(sums.powers, powers, 1e-13);
    EXPECT_NEAR(sums.slopes, slopes, 1e-13);
  }
}

TEST(p_functional, the_best_centre_has_no_slope) {
  const std::vector<double> u = random_numbers(50, 3);
  std::vector<double> weights = random_numbers(50, 4);
  for (double& weight : weights) {
    weight += 0.6;
  }
  for (const double p : {1.05, 1.2, 1.5, 2.0}) {
    const double c = best_centre(u, weights, p);
    const auto cost = [&](double at) {
      double sum = 0;
      for (std::size_t i = 0; i < 50; ++i) {
        sum += weights[i] * std::pow(std::abs(u[i] - at), p);
      }
      return sum;
    };
    EXPECT_LE(cost(c), cost(c + 1e-5));
    EXPECT_LE(cost(c), cost(c - 1e-5));
  }
  EXPECT_DOUBLE_EQ(best_centre(std::vector<double>{3, 3}, std::vector<double>{1, 2}, 1.2), 3);
}

TEST(p_functional, the_gradient_is_the_slope_of_the_value) {
  ThreadTeam team(2);
  DenseArray w = planted(15, 2, 1, 0.4, 6);
  for (const Similarities& form : {Similarities(w), Similarities(as_graph(w))}) {
    const PFunctional functional(form, std::vector<double>(15, 1.5), team);
    for (const double p : {1.2, 1.6, 2.0}) {
      const std::vector<double> u = random_numbers(15, 9);
      const auto point = functional.at(p, u);
      double sum = 0;
      for (std::size_t i = 0; i < 15; ++i) {
        std::vector<double> up = u;
        std::vector<double> down = u;
        up[i] += 1e-6;
        down[i] -= 1e-6;
        const double slope = (functional.at(p, up).value - functional.at(p, down).value) / 2e-6;
        EXPECT_NEAR(point.gradient[i], slope, 1e-4 * (1 + std::abs(slope)));
        sum += point.gradient[i];
      }
      EXPECT_NEAR(sum, 0, 1e-9);
    }
  }
}

TEST(p_functional, the_curvature_is_a_laplacian_whatever_objects_are_to_themselves) {
  std::vector<double> values(49, 0.5);
  for (std::size_t i = 0; i < 7; ++i) {
    values[i * 8] = 1000;
  }
  const DenseArray w = square(values, 7);
  ThreadTeam team(1);
  const std::vector<double> u = random_numbers(7, 2);
  const std::vector<double> x = random_numbers(7, 5);
  for (const Similarities& form : {Similarities(w), Similarities(as_graph(w))}) {
    PFunctional functional(form, std::vector<double>(7, 1.0), team);
    functional.curve_at(1.3, functional.at(1.3, u));
    std::vector<double> out(7);
    functional.multiply_curvature(x, out);
    for (std::size_t i = 0; i < 7; ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < 7; ++j) {
        expected += i == j ? 0 : 0.5 * std::pow(std::abs(u[i] - u[j]), -0.7) * (x[i] - x[j]);
      }
      EXPECT_NEAR(out[i], expected, 1e-5);
    }
  }
}

TEST(p_functional, minres_solves_what_it_is_given) {
  constexpr std::size_t n = 30;
  const DenseArray w = planted(n, 2, 1, 0.4, 6);
  const std::vector<double> right = random_numbers(n, 3);
  std::vector<double> diagonal(n);
  const auto times = [&](std::span<const double> in, std::span<double> out) {
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = (i % 3 == 0 ? -9.0 : 30.0) * in[i];  // indefinite
      for (std::size_t j = 0; j < n; ++j) {
        out[i] += w.at(i, j) * in[j];
      }
    }
  };
  for (std::size_t i = 0; i < n; ++i) {
    diagonal[i] = i % 3 == 0 ? 9 : 30;
  }
  const MinresResult found = minres(times, diagonal, right, {1e-12, 200});
  EXPECT_TRUE(found.converged);
  std::vector<double> out(n);
  times(found.solution, out);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(out[i], right[i], 1e-9);
  }
  EXPECT_EQ(minres(times, diagonal, std::vector<double>(n), {}).steps, 0);
}

}  // namespace
}  // namespace shiftcut::methods

#include "methods/dominant_sets/warm_start.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "methods/similarity_cases.hpp"

namespace shiftcut::methods {
namespace {

std::vector<float> random_entries(std::size_t n, std::uint64_t seed) {
  Rng rng(seed, n);
  std::vector<float> x(n);
  for (float& entry : x) {
    entry = static_cast<float>(rng.uniform());
  }
  return x;
}

TEST(float_matrix, a_product_is_that_of_the_whole_matrix_without_its_diagonal) {
  ThreadTeam team(1);
  for (const std::size_t n : {1, 2, 17, 127, 128, 129, 300, 1500}) {
    const DenseArray a = with_diagonal(random_similarities(n, n, 1.0), 1e9);
    const FloatMatrix matrix(a.f64(), n, -.25, 2, team);
    const std::vector<float> x = random_entries(n, 1);
    std::vector<double> out(n, 7.0);
    matrix.multiply(x, out, team);
    for (std::size_t i = 0; i < n; ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < n; ++j) {
        expected += i == j ? 0 : (a.at(i, j) - .25) * 2 * static_cast<double>(x[j]);
      }
      EXPECT_NEAR(out[i], expected, 1e-6 * static_cast<double>(n)) << "of " << n << ", row " << i;
    }
  }
}

TEST(float_matrix, rows_that_are_kept_reuse_the_memory_of_more) {
  ThreadTeam team(2);
  const std::size_t n = 400;
  const DenseArray a = random_similarities(n, 3, 1.0);
  const FloatMatrix matrix(a.f64(), n, 0, 1, team);
  FloatMatrix part;
  for (const std::size_t every : {2, 3, 2, 399}) {
    std::vector<std::uint32_t> positions;
    for (std::uint32_t i = 1; i < n; i += static_cast<std::uint32_t>(every)) {
      positions.push_back(i);
    }
    part.keep(matrix, positions, team);
    ASSERT_EQ(part.size(), positions.size());
    const std::vector<float> x = random_entries(positions.size(), every);
    std::vector<double> out(positions.size());
    part.multiply(x, out, team);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < positions.size(); ++j) {
        expected += i == j ? 0 : a.at(positions[i], positions[j]) * static_cast<double>(x[j]);
      }
      EXPECT_NEAR(out[i], expected, 1e-4);
    }
  }
}

TEST(float_matrix, threads_change_nothing) {
  const std::size_t n = 700;
  const DenseArray a = random_similarities(n, 5, 1.0);
  const std::vector<float> x = random_entries(n, 2);
  std::vector<double> first;
  for (const int threads : {1, 2, 7}) {
    ThreadTeam team(threads);
    std::vector<double> out(n);
    FloatMatrix(a.f64(), n, 0, 1, team).multiply(x, out, team);
    first = first.empty() ? out : first;
    EXPECT_EQ(out, first);
  }
}

}  // namespace
}  // namespace shiftcut::methods

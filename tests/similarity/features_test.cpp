#include "shiftcut/features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

TEST(cluster_sums, are_the_sums_for_any_number_of_threads) {
  Rng rng(3);
  const std::size_t n = 5000;
  const std::size_t d = 7;
  const std::size_t k = 4;
  const std::vector<double> values = testing_support::grouped_rows(n, d, 3, rng);
  std::vector<std::int32_t> labels(n);
  for (std::int32_t& label : labels) {
    label = static_cast<std::int32_t>(rng.below(k));
  }
  std::vector<double> plain(k * d, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      plain[static_cast<std::size_t>(labels[i]) * d + j] += values[i * d + j];
    }
  }
  const DenseArray rows = DenseArray::own(values, n, d);
  const std::vector<double> sums = cluster_sums(rows, labels, k, 1);
  EXPECT_EQ(cluster_sums(rows, labels, k, 3), sums);
  const DenseArray floats = DenseArray::own(std::vector<float>(values.begin(), values.end()), n, d);
  const std::vector<double> rough = cluster_sums(floats, labels, k, 2);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_NEAR(sums[i], plain[i], 1e-9 * (1 + std::abs(plain[i])));
    EXPECT_NEAR(rough[i], plain[i], 1e-4 * (1 + std::abs(plain[i])));
  }
}

TEST(cluster_sums, refuse_labels_that_do_not_fit) {
  const DenseArray rows = DenseArray::own(std::vector<double>{1, 2, 3}, 3, 1);
  const std::vector<std::int32_t> few = {0, 1};
  const std::vector<std::int32_t> large = {0, 1, 2};
  const std::vector<std::int32_t> negative = {0, -1, 1};
  EXPECT_THROW(cluster_sums(rows, few, 2), std::invalid_argument);
  EXPECT_THROW(cluster_sums(rows, large, 2), std::invalid_argument);
  EXPECT_THROW(cluster_sums(rows, negative, 2), std::invalid_argument);
}

}  // namespace
}  // namespace shiftcut

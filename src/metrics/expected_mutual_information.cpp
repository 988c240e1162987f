// The expected mutual information of Vinh, Epps and Bailey (JMLR 2010):
//
//   E[MI] = sum_ij E[ (m / n) log(n m / (a_i b_j)) ],   m ~ hypergeometric(n, a_i, b_j).
//
// The probabilities of m are computed from their ratios, starting with 1 at the mode, and divided
// by their sum: no factorials, whose logarithms lose digits when n is large. They fall off faster
// than geometrically, so a cell costs about the spread of m. Equal class sizes share one sum: a
// grouping has at most sqrt(2 n) different ones.
#include <cmath>
#include <map>

#include "metrics/contingency.hpp"

namespace shiftcut {
namespace {

constexpr double kNegligibleWeight = 1e-30;  // of the mode's

struct CellSums {
  double weight = 0;
  double weighted_information = 0;
};

/// E[(m / n) log(n m / (a b))] for m common objects of classes of a and b among n.
double expected_cell(std::uint64_t a, std::uint64_t b, std::uint64_t n) {
  const std::uint64_t least = a + b > n ? a + b - n : 0;
  const std::uint64_t most = a < b ? a : b;
  const auto real_a = static_cast<double>(a);
  const auto real_b = static_cast<double>(b);
  const auto real_n = static_cast<double>(n);
  const double offset = std::log(real_n) - std::log(real_a) - std::log(real_b);

  CellSums sums;
  const auto add = [&](double m, double weight) {
    sums.weight += weight;
    if (m > 0) sums.weighted_information += weight * m * (std::log(m) + offset);
  };
  // weight(m + 1) / weight(m); the last factor is positive for m >= least.
  const auto ratio = [&](double m) {
    return (real_a - m) * (real_b - m) / ((m + 1) * (real_n - real_a - real_b + m + 1));
  };

  const auto guess = static_cast<std::uint64_t>((real_a + 1) * (real_b + 1) / (real_n + 2));
  const std::uint64_t mode = guess < least ? least : (guess > most ? most : guess);
  double weight = 1;
  add(static_cast<double>(mode), weight);
  for (std::uint64_t m = mode; m < most && weight > kNegligibleWeight; ++m) {
    weight *= ratio(static_cast<double>(m));
    add(static_cast<double>(m + 1), weight);
  }
  weight = 1;
  for (std::uint64_t m = mode; m > least && weight > kNegligibleWeight; --m) {
    weight /= ratio(static_cast<double>(m - 1));
    add(static_cast<double>(m - 1), weight);
  }
  return sums.weighted_information / sums.weight / real_n;
}

std::map<std::uint64_t, std::uint64_t> how_often(std::span<const std::uint64_t> sizes) {
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const std::uint64_t size : sizes) ++counts[size];
  return counts;
}

}  // namespace

double expected_mutual_information(std::span<const std::uint64_t> row_sums,
                                   std::span<const std::uint64_t> column_sums,
                                   std::uint64_t objects) {
  const auto columns = how_often(column_sums);
  double expected = 0;
  for (const auto& [row_size, rows] : how_often(row_sums)) {
    for (const auto& [column_size, equal_columns] : columns) {
      expected += static_cast<double>(rows) * static_cast<double>(equal_columns) *
                  expected_cell(row_size, column_size, objects);
    }
  }
  return expected;
}

}  // namespace shiftcut

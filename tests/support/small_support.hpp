// Small matrices for tests, and what float32 may be off by on them.
#pragma once

#include <algorithm>

#include "multilevel/small_matrix.hpp"
#include "support/search_support.hpp"

namespace shiftcut::search_testing {

// Symmetric, of whole numbers now and then, so that there are ties.
inline plain::Matrix random_matrix(std::size_t n, bool whole, Rng& rng) {
  plain::Matrix s(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      s[i][j] = s[j][i] = whole ? static_cast<double>(rng.below(7)) - 3 : normal(rng);
    }
  }
  return s;
}

inline SmallMatrix small_of(const plain::Matrix& s) {
  SmallMatrix small(s.size());
  for (std::size_t i = 0; i < s.size(); ++i) {
    std::ranges::transform(s[i], small.row(i), [](double v) { return static_cast<float>(v); });
  }
  small.separate_diagonal();
  return small;
}

inline double entry(const SmallMatrix& s, std::size_t i, std::size_t j) {
  return i == j ? s.diagonal[i] : static_cast<double>(s.row(i)[j]);
}

inline double tolerance_of(const plain::Matrix& s) { return 1e-12 * scale_of(s); }

// What float32 may be off by in an affinity, and in a cost.
inline double rounding_of(const plain::Matrix& s) { return 1e-6 * scale_of(s); }
inline double cost_rounding_of(const plain::Matrix& s) {
  return rounding_of(s) * static_cast<double>(s.size());
}

}  // namespace shiftcut::search_testing

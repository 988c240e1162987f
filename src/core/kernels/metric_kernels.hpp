// Distances other than the Euclidean one, of rows to a panel of columns at a time.
#pragma once

#include <cstddef>

#include "core/kernels/kernels.hpp"

namespace shiftcut {

/// What is summed over the entries a of a row and b of a column; the last takes the largest.
enum class PairTerm {
  absolute_difference,  // |a - b|
  absolute_sum,         // |a + b|
  relative_difference,  // |a - b| / (|a| + |b|), 0 where both are 0
  unequal,              // 1 where a != b
  both_nonzero,         // 1 where neither is 0
  largest_difference,   // the maximum of |a - b|
};

/// out[r * width + k] = the sum (or maximum) of `term` over the entries of rows[r] and column k,
/// for all rows and all columns (padding included).
void tile_pair_terms(PairTerm term, const double* const* rows, std::size_t row_count,
                     const PackedColumns<double>& columns, double* out);

/// How many of the values are below x, and half of those equal to it.
double mid_rank(const double* values, std::size_t count, double x);

}  // namespace shiftcut

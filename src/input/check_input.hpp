// What must hold for data before anything is computed from it. The readers check what they read;
// data handed over in memory is checked by check_input().
#pragma once

#include <cstddef>
#include <string>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

/// Throws std::invalid_argument unless all numbers are finite, matrices and graphs square and
/// symmetric, distances non-negative and sparse rows well formed.
void check_input(const Input& input, const Control& control);

/// The parts of it for a dense array. Both throw std::invalid_argument, which names `file` and the
/// entry, or Interrupted; they walk the array in blocks. `first` is the number of its first row.
void check_finite(const DenseArray& array, const std::string& file, const Control& control,
                  std::size_t first = 0);

/// `array` is square unless it holds features. Matrices must be symmetric, distances also
/// non-negative, with zeros on the diagonal.
void check_shape(const DenseArray& array, Shape shape, const std::string& file,
                 const Control& control);

}  // namespace shiftcut

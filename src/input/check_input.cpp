// Dense arrays are walked in blocks small enough to report progress and to stop between them.
#include "input/check_input.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <fmt/core.h>

#include "input/bytes/reading_meter.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"

namespace shiftcut {

namespace {

template <class Use>
void with_numbers(const DenseArray& array, Use use) {
  if (array.is_float32()) {
    use(array.f32());
  } else {
    use(array.f64());
  }
}

// Calls use(begin, end) for pieces of the array in order; reports progress between them.
template <class T, class Use>
void for_each_block(const DenseArray& array, const T* values, const Control& control, Use use) {
  const std::size_t size = array.rows() * array.columns();
  ReadingMeter meter(control, size * sizeof(T));
  for (std::size_t i = 0; i < size; i += kReadChunk / sizeof(T)) {
    meter.advance(i * sizeof(T));
    use(values + i, values + std::min(size, i + kReadChunk / sizeof(T)));
  }
}

// A number is infinite or NaN if all its exponent bits are set. Integer arithmetic, which the
// compiler vectorises.
template <class T>
bool all_finite(const T* begin, const T* end) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr Bits kExponent =
      sizeof(T) == 4 ? static_cast<Bits>(0x7f800000U) : static_cast<Bits>(0x7ff0000000000000ULL);
  Bits bad = 0;
  for (; begin != end; ++begin) {
    bad |= static_cast<Bits>((std::bit_cast<Bits>(*begin) & kExponent) == kExponent);
  }
  return bad == 0;
}

template <class T>
double largest_absolute(const DenseArray& array, const T* values, const Control& control) {
  T largest = 0;
  for_each_block(array, values, control, [&](const T* begin, const T* end) {
    for (; begin != end; ++begin) {
      largest = std::max(largest, std::abs(*begin));
    }
  });
  return static_cast<double>(largest);
}

// Compares a tile with its mirror image.
template <class T>
void check_tile(const T* values, std::size_t n, std::size_t row, std::size_t column,
                double tolerance, const std::string& file) {
  const std::size_t row_end = std::min(n, row + kSymmetryTile);
  const std::size_t column_end = std::min(n, column + kSymmetryTile);
  for (std::size_t i = row; i < row_end; ++i) {
    for (std::size_t j = std::max(column, i + 1); j < column_end; ++j) {
      const auto here = static_cast<double>(values[i * n + j]);
      const auto there = static_cast<double>(values[j * n + i]);
      if (std::abs(here - there) > tolerance) {
        reject(file, fmt::format("found {} in row {}, column {} and {} in row {}, column {} "
                                 "(counted from 0); allowed: a symmetric matrix, to {} of its "
                                 "largest absolute value",
                                 here, i, j, there, j, i, kSymmetryTolerance));
      }
    }
  }
}

void check_symmetric(const DenseArray& array, const std::string& file, const Control& control) {
  const std::size_t n = array.rows();
  with_numbers(array, [&]<class T>(const T* values) {
    const double tolerance = kSymmetryTolerance * largest_absolute(array, values, control);
    for (std::size_t row = 0; row < n; row += kSymmetryTile) {
      if (control.stop_requested()) {
        throw Interrupted();
      }
      for (std::size_t column = row; column < n; column += kSymmetryTile) {
        check_tile(values, n, row, column, tolerance, file);
      }
    }
  });
}

void check_distances(const DenseArray& array, const std::string& file, const Control& control) {
  const std::size_t n = array.columns();
  with_numbers(array, [&]<class T>(const T* values) {
    for_each_block(array, values, control, [&](const T* begin, const T* end) {
      const T* bad = std::find_if(begin, end, [](T value) { return value < 0; });
      if (bad != end) {
        const auto at = static_cast<std::size_t>(bad - values);
        reject(file, fmt::format("row {}, column {} (counted from 0): found distance {}; allowed: "
                                 "0 or more",
                                 at / n, at % n, *bad));
      }
    });
    for (std::size_t i = 0; i < n; ++i) {
      if (values[i * n + i] != 0) {
        reject(file, fmt::format("row {}, column {} (counted from 0): found distance {} of an "
                                 "object to itself; allowed: 0",
                                 i, i, values[i * n + i]));
      }
    }
  });
}

void check_square(std::size_t rows, std::size_t columns, const Input& input) {
  if (rows == 0 || columns == 0) {
    reject(input.name,
           fmt::format("found {} rows of {} columns; allowed: 1 or more of both", rows, columns));
  }
  if (input.shape != Shape::features && rows != columns) {
    reject(input.name, fmt::format("found {} rows and {} columns; allowed: as many columns as rows",
                                   rows, columns));
  }
}

void check_dense(const DenseArray& array, const Input& input, const Control& control) {
  check_square(array.rows(), array.columns(), input);
  check_finite(array, input.name, control);
  check_shape(array, input.shape, input.name, control);
}

// Offsets must ascend from 0 to the number of entries, the columns of a row ascend within range.
void check_rows(const SparseMatrix& matrix, const Input& input) {
  const std::size_t entries = matrix.columns.size();
  bool good = matrix.offsets.size() == matrix.rows + 1 && matrix.values.size() == entries &&
              matrix.offsets.front() == 0 &&
              matrix.offsets.back() == static_cast<std::int64_t>(entries) &&
              std::is_sorted(matrix.offsets.begin(), matrix.offsets.end());
  for (std::size_t i = 0; good && i < matrix.rows; ++i) {
    for (auto e = static_cast<std::size_t>(matrix.offsets[i]);
         e < static_cast<std::size_t>(matrix.offsets[i + 1]); ++e) {
      const bool ascending = e == static_cast<std::size_t>(matrix.offsets[i]) ||
                             matrix.columns[e - 1] < matrix.columns[e];
      good = good && ascending && matrix.columns[e] < matrix.columns_count;
      if (!std::isfinite(matrix.values[e])) {
        reject(input.name,
               fmt::format("row {}: found {}; allowed: a finite number", i, matrix.values[e]));
      }
    }
  }
  if (!good) {
    reject(input.name,
           "found sparse rows out of order; allowed: rows as made by sparse_from_entries()");
  }
}

double entry(const SparseMatrix& matrix, std::size_t row, std::uint32_t column) {
  const auto begin = matrix.columns.begin() + matrix.offsets[row];
  const auto end = matrix.columns.begin() + matrix.offsets[row + 1];
  const auto it = std::lower_bound(begin, end, column);
  return it != end && *it == column
             ? matrix.values[static_cast<std::size_t>(it - matrix.columns.begin())]
             : 0.0;
}

void check_sparse(const SparseMatrix& matrix, const Input& input) {
  check_square(matrix.rows, matrix.columns_count, input);
  if (input.shape == Shape::distance) {
    reject(input.name,
           "found sparse distances, where pairs that are not listed have none; allowed: a dense "
           "matrix of distances");
  }
  check_rows(matrix, input);
  if (input.shape == Shape::features) {
    return;
  }
  for (std::uint32_t i = 0; i < matrix.rows; ++i) {
    for (auto e = static_cast<std::size_t>(matrix.offsets[i]);
         e < static_cast<std::size_t>(matrix.offsets[i + 1]); ++e) {
      const double back = entry(matrix, matrix.columns[e], i);
      if (back != matrix.values[e]) {
        reject(
            input.name,
            fmt::format(
                "found {} from object {} to {} and {} back; allowed: the same in both directions",
                matrix.values[e], i, matrix.columns[e], back));
      }
    }
  }
}

}  // namespace

void check_finite(const DenseArray& array, const std::string& file, const Control& control,
                  std::size_t first) {
  with_numbers(array, [&]<class T>(const T* values) {
    for_each_block(array, values, control, [&](const T* begin, const T* end) {
      if (all_finite(begin, end)) {
        return;
      }
      const T* bad = std::find_if(begin, end, [](T value) { return !std::isfinite(value); });
      const auto at = static_cast<std::size_t>(bad - values);
      reject(file, fmt::format("row {}, column {} (counted from 0): found {}; allowed: a finite "
                               "number",
                               first + at / array.columns(), at % array.columns(), *bad));
    });
  });
}

void check_shape(const DenseArray& array, Shape shape, const std::string& file,
                 const Control& control) {
  if (shape != Shape::features) {
    check_symmetric(array, file, control);
  }
  if (shape == Shape::distance) {
    check_distances(array, file, control);
  }
}

void check_input(const Input& input, const Control& control) {
  if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
    check_dense(*dense, input, control);
  } else {
    check_sparse(std::get<SparseMatrix>(input.values), input);
  }
}

}  // namespace shiftcut

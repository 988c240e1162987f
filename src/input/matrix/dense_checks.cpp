// Checks over blocks of a dense array: see dense_checks.hpp.
#include "input/matrix/dense_checks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <fmt/format.h>

#include "input/bytes/limits.hpp"
#include "input/bytes/reading_meter.hpp"
#include "input/bytes/reject.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kTile = 128;  // rows and columns looked at together
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

template <class Use>
void with_numbers(const DenseArray& array, Use use) {
  if (array.is_float32()) {
    use(array.f32());
  } else {
    use(array.f64());
  }
}

// Calls use(begin, end) for pieces of the array in order.
template <class T, class Use>
void for_each_block(const DenseArray& array, const T* values, const Control& control, Use use) {
  const std::size_t size = array.rows() * array.columns();
  ReadingMeter meter(control, size * sizeof(T));
  for (std::size_t i = 0; i < size; i += kBlockBytes / sizeof(T)) {
    meter.advance(i * sizeof(T));
    use(values + i, values + std::min(size, i + kBlockBytes / sizeof(T)));
  }
}

// All exponent bits set: an infinity or no number. Integers, so that the compiler makes vectors.
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

// Looks at a tile and its mirror image together.
template <class T>
void check_tile(const T* values, std::size_t n, std::size_t row, std::size_t column,
                double tolerance, const std::string& file) {
  const std::size_t row_end = std::min(n, row + kTile);
  const std::size_t column_end = std::min(n, column + kTile);
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

}  // namespace

void check_finite(const DenseArray& array, const std::string& file, const Control& control) {
  with_numbers(array, [&]<class T>(const T* values) {
    for_each_block(array, values, control, [&](const T* begin, const T* end) {
      if (all_finite(begin, end)) {
        return;
      }
      const T* bad = std::find_if(begin, end, [](T value) { return !std::isfinite(value); });
      const auto at = static_cast<std::size_t>(bad - values);
      reject(file, fmt::format("row {}, column {} (counted from 0): found {}; allowed: a finite "
                               "number",
                               at / array.columns(), at % array.columns(), *bad));
    });
  });
}

void check_symmetric(const DenseArray& array, const std::string& file, const Control& control) {
  const std::size_t n = array.rows();
  with_numbers(array, [&]<class T>(const T* values) {
    const double tolerance = kSymmetryTolerance * largest_absolute(array, values, control);
    for (std::size_t row = 0; row < n; row += kTile) {
      if (control.stop_requested()) {
        throw Interrupted();
      }
      for (std::size_t column = row; column < n; column += kTile) {
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

}  // namespace shiftcut

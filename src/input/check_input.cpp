#include "input/check_input.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "input/bytes/reject.hpp"
#include "input/matrix/dense_checks.hpp"

namespace shiftcut {

namespace {

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
  if (input.shape != Shape::features) {
    check_symmetric(array, input.name, control);
  }
  if (input.shape == Shape::distance) {
    check_distances(array, input.name, control);
  }
}

// Offsets that ascend from 0 to the number of entries, in each row ascending columns in range.
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

void check_input(const Input& input, const Control& control) {
  if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
    check_dense(*dense, input, control);
  } else {
    check_sparse(std::get<SparseMatrix>(input.values), input);
  }
}

}  // namespace shiftcut

// A counting sort by rows, then a sort within each row that is not in order: entries move once, and
// the list is freed as they do.
#include "input/graph/sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "core/message.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"

namespace shiftcut {

namespace {

// offsets[i + 1] becomes the start of row i; scatter() advances it to the start of row i + 1.
void count_rows(EntryList& entries, Mirror mirror, SparseMatrix& matrix) {
  matrix.offsets.assign(matrix.rows + 2, 0);
  entries.for_each_place([&](std::uint32_t row, std::uint32_t column) {
    ++matrix.offsets[row + 2];
    if (mirror == Mirror::yes && row != column) {
      ++matrix.offsets[column + 2];
    }
  });
  for (std::size_t i = 2; i < matrix.offsets.size(); ++i) {
    matrix.offsets[i] += matrix.offsets[i - 1];
  }
}

void scatter(EntryList& entries, Mirror mirror, SparseMatrix& matrix) {
  const auto total = static_cast<std::size_t>(matrix.offsets.back());
  matrix.columns.resize(total);
  if (entries.all_ones()) {  // the values are allocated once the list of entries is freed
    const auto put = [&](std::uint32_t row, std::uint32_t column) {
      matrix.columns[static_cast<std::size_t>(matrix.offsets[row + 1]++)] = column;
    };
    entries.consume([&](std::uint32_t row, std::uint32_t column, double) {
      put(row, column);
      if (mirror == Mirror::yes && row != column) {
        put(column, row);
      }
    });
    matrix.values.assign(total, 1.0);
    matrix.offsets.pop_back();
    return;
  }
  matrix.values.resize(total);
  const auto put = [&](std::uint32_t row, std::uint32_t column, double value) {
    const auto at = static_cast<std::size_t>(matrix.offsets[row + 1]++);
    matrix.columns[at] = column;
    matrix.values[at] = value;
  };
  entries.consume([&](std::uint32_t row, std::uint32_t column, double value) {
    put(row, column, value);
    if (mirror == Mirror::yes && row != column) {
      put(column, row, value);
    }
  });
  matrix.offsets.pop_back();
}

struct Cell {
  std::uint32_t column;
  std::uint32_t order;  // in the file, which entries of the same column keep
  double value;
};

void sort_row(SparseMatrix& matrix, std::size_t begin, std::size_t end, std::vector<Cell>& row) {
  const auto columns = matrix.columns.begin();
  if (std::is_sorted(columns + static_cast<std::ptrdiff_t>(begin),
                     columns + static_cast<std::ptrdiff_t>(end))) {
    return;
  }
  row.clear();
  for (std::size_t at = begin; at < end; ++at) {
    row.push_back({matrix.columns[at], static_cast<std::uint32_t>(at - begin), matrix.values[at]});
  }
  std::sort(row.begin(), row.end(), [](const Cell& a, const Cell& b) {
    return a.column != b.column ? a.column < b.column : a.order < b.order;
  });
  for (std::size_t at = begin; at < end; ++at) {
    matrix.columns[at] = row[at - begin].column;
    matrix.values[at] = row[at - begin].value;
  }
}

void sort_and_add_up(SparseMatrix& matrix, const std::string& file) {
  std::vector<Cell> row;
  std::size_t out = 0;
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    const auto begin = static_cast<std::size_t>(matrix.offsets[i]);
    const auto end = static_cast<std::size_t>(matrix.offsets[i + 1]);
    sort_row(matrix, begin, end, row);
    matrix.offsets[i] = static_cast<std::int64_t>(out);
    for (std::size_t at = begin; at < end;) {
      const std::uint32_t column = matrix.columns[at];
      double sum = 0;
      for (; at < end && matrix.columns[at] == column; ++at) {
        sum += matrix.values[at];
      }
      if (!std::isfinite(sum)) {
        reject(file, fmt::format("found entries of row {}, column {} (counted from 0) that add up "
                                 "to {}; allowed: a finite sum",
                                 i, column, sum));
      }
      if (sum != 0) {
        matrix.columns[out] = column;
        matrix.values[out++] = sum;
      }
    }
  }
  matrix.offsets[matrix.rows] = static_cast<std::int64_t>(out);
  matrix.columns.resize(out);
  matrix.values.resize(out);
}

[[noreturn]] void reject_asymmetric(const std::string& file, std::size_t i, std::size_t j,
                                    double here, double there) {
  reject(file,
         fmt::format(
             "found {} in row {}, column {} but {} in row {}, column {} (counted from 1); allowed "
             "for a graph: the same weight in both directions, or a matrix of kind symmetric",
             here, i + 1, j + 1, there, j + 1, i + 1));
}

}  // namespace

SparseMatrix sparse_rows(EntryList& entries, std::size_t rows, std::size_t columns, Mirror mirror,
                         const std::string& file) {
  SparseMatrix matrix;
  matrix.rows = rows;
  matrix.columns_count = columns;
  count_rows(entries, mirror, matrix);
  scatter(entries, mirror, matrix);
  sort_and_add_up(matrix, file);
  return matrix;
}

// Rows are visited in ascending order, so the mirror image of an entry (i, j) must be the next
// entry of row j that has no partner yet: one pass, no search.
void symmetrise(SparseMatrix& matrix, const std::string& file) {
  double largest = 0;
  for (const double value : matrix.values) {
    largest = std::max(largest, std::abs(value));
  }
  std::vector<std::int64_t> next(matrix.offsets.begin(), matrix.offsets.end() - 1);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::int64_t at = matrix.offsets[i]; at < matrix.offsets[i + 1]; ++at) {
      const std::uint32_t j = matrix.columns[static_cast<std::size_t>(at)];
      double& here = matrix.values[static_cast<std::size_t>(at)];
      const auto mirror = static_cast<std::size_t>(next[j]++);
      const bool left = static_cast<std::int64_t>(mirror) < matrix.offsets[j + 1];
      if (left && matrix.columns[mirror] < i) {
        reject_asymmetric(file, j, matrix.columns[mirror], matrix.values[mirror], 0);
      }
      if (!left || matrix.columns[mirror] > i) {
        reject_asymmetric(file, i, j, here, 0);
      }
      double& there = matrix.values[mirror];
      if (std::abs(here - there) > kSymmetryTolerance * largest) {
        reject_asymmetric(file, i, j, here, there);
      }
      if (here != there) {
        here = there = here / 2 + there / 2;
      }
    }
  }
}

Shape sparse_shape(ShapeChoice choice, const std::string& file) {
  if (choice == ShapeChoice::distance) {
    reject(file, message("not_applicable", "shape",
                         "found a sparse file read as distances, where pairs that are not listed "
                         "have no distance; allowed: {shape=graph}, or a dense matrix of "
                         "distances"));
  }
  return choice == ShapeChoice::features ? Shape::features : Shape::graph;
}

void check_objects(std::size_t objects, std::size_t entries, const std::string& file) {
  if (objects == 0 || objects > kMostObjects) {
    reject(file, fmt::format("found {} objects; allowed: 1 to {}", objects, kMostObjects));
  }
  if (objects > kAlwaysAllowedExtent && objects / kExtentPerEntry > entries) {
    reject(file, fmt::format("found {} objects but only {} entries; allowed: at most {} objects "
                             "for each entry",
                             objects, entries, kExtentPerEntry));
  }
}

}  // namespace shiftcut

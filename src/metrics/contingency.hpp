// The contingency table of two groupings, which all scores are computed from, and what chance alone
// puts into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shiftcut {

/// A non-empty cell: `count` objects are in class `row` of one grouping and `column` of the other.
struct Cell {
  std::size_t row = 0;
  std::size_t column = 0;
  std::uint64_t count = 0;
};

/// Rows and columns are numbered without gaps, in the order of the labels' values.
struct Contingency {
  std::uint64_t objects = 0;
  std::vector<std::uint64_t> row_sums;
  std::vector<std::uint64_t> column_sums;
  std::vector<Cell> cells;

  /// Whether the groupings are the same up to the names of their classes.
  [[nodiscard]] bool is_matching() const {
    return cells.size() == row_sums.size() && cells.size() == column_sums.size();
  }
};

/// Both label lists have the same length. O(n) for labels in a range of about n, else O(n log n).
Contingency contingency(std::span<const std::int32_t> rows, std::span<const std::int32_t> columns);

/// The mutual information that two groupings with these class sizes have by chance: the exact mean
/// over all assignments, in nats. Both sizes sum to `objects`.
double expected_mutual_information(std::span<const std::uint64_t> row_sums,
                                   std::span<const std::uint64_t> column_sums,
                                   std::uint64_t objects);

}  // namespace shiftcut

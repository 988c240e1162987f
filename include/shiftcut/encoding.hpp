// How the columns of a table became columns of numbers, so that new rows can be encoded the same
// way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// One column of a table of features.
struct ColumnEncoding {
  enum class Kind : std::uint8_t {
    number,  // one column of numbers
    text,    // a column of 0 and 1 for each category
    empty,   // no value in any row: left out
  };

  std::string name;
  Kind kind = Kind::number;
  std::size_t position = 0;             // in the table, columns held out counted in
  double median = 0;                    // of numbers: what a missing cell becomes
  std::vector<std::string> categories;  // of text, ascending
  std::size_t mode = 0;                 // the most frequent category: what a missing cell becomes

  [[nodiscard]] std::size_t width() const {
    return kind == Kind::number ? 1 : kind == Kind::text ? categories.size() : 0;
  }
};

struct TableEncoding {
  bool has_names = true;  // the names are the table's own: columns are found by them
  std::size_t width = 0;  // columns of the table, those held out counted in
  std::vector<ColumnEncoding> columns;

  /// Columns of numbers that a row becomes.
  [[nodiscard]] std::size_t encoded_width() const {
    std::size_t sum = 0;
    for (const ColumnEncoding& column : columns) {
      sum += column.width();
    }
    return sum;
  }
};

/// As read_input(), and how the columns of a table of features were encoded, else null. Finds the
/// median of every column: O(n) each.
Input read_training(const std::string& path, const ReadOptions& options,
                    std::shared_ptr<const TableEncoding>& encoding, const Control& control = {});

/// Reads features as they were read before: columns by name where both tables have names, else by
/// position; categories one-hot as in `encoding`, a new one as none of them, with a note; missing
/// cells filled as `encoding` says. Files that are no tables are read as features. Throws what
/// read_input() does, also for a column that is missing.
Input read_like(const std::string& path, const ReadOptions& options, const TableEncoding& encoding,
                const Control& control = {});

}  // namespace shiftcut

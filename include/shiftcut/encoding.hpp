// How the columns of a table became columns of numbers, so that new rows can be encoded the same
// way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace shiftcut

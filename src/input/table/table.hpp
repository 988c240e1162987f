// A CSV or TSV table on its way from cells of text to rows of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "input/bytes/block_list.hpp"
#include "input/bytes/name_table.hpp"
#include "input/bytes/number.hpp"

namespace shiftcut {

enum class ColumnKind : std::uint8_t { undecided, number, text, label, group, dropped };

/// The categories of a text column: their names, and how many rows hold each.
struct Categories {
  NameTable names;
  std::vector<std::uint32_t> counts;
};

/// Few bytes a column, for there may be a million of them.
struct Table {
  std::string file;                // for messages
  bool decimal_comma = false;      // in its numbers
  std::vector<std::string> names;  // of the columns, as many as each row has cells
  std::vector<ColumnKind> kinds;
  std::vector<std::uint32_t> missing;                   // cells of each column
  std::vector<std::unique_ptr<Categories>> categories;  // of text columns
  std::vector<std::uint32_t> stored;  // the columns whose cells are kept, ascending

  std::size_t rows = 0;
  BlockList<double> cells;  // rows of stored.size(): a number, a category, or NaN where missing
  NameTable label_names;
  BlockList<std::int32_t> labels;
  NameTable group_names;
  BlockList<std::int32_t> groups;
};

/// The number a cell holds, as parse_number() says.
inline NumberKind parse_cell(std::string_view cell, bool decimal_comma, double& value) {
  if (!decimal_comma) {
    return parse_number(cell, value);
  }
  if (cell.find('.') != std::string_view::npos) {
    return NumberKind::text;  // it may separate thousands
  }
  std::string with_point(cell);
  const std::size_t comma = with_point.find(',');
  if (comma != std::string::npos) {
    with_point[comma] = '.';
  }
  return parse_number(with_point, value);
}

/// Empty, `?` and `NA` stand for a value that is not known.
inline bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "?" || cell == "NA";
}

inline constexpr const char* kAllowedInNumbers =
    "a finite number, or empty, ? or NA where it is missing";

}  // namespace shiftcut

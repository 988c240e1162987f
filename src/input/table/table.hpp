// A CSV or TSV table on its way from cells of text to rows of numbers. The steps, in order: a
// RowSample decides the kinds of the columns, add_row() stores row after row, fill_missing() and
// encode_table() make a matrix of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/bytes/block_list.hpp"
#include "input/bytes/name_table.hpp"
#include "input/bytes/parse.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/message.hpp"

namespace shiftcut {

enum class ColumnKind : std::uint8_t { undecided, number, text, label, group, weight, dropped };

/// The categories of a text column: their names, and how many rows hold each.
struct Categories {
  NameTable names;
  std::vector<std::uint32_t> counts;
};

/// Takes only a few bytes per column, since there may be a million of them.
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
  BlockList<double> weights;
};

/// Whether a stored column becomes no column of the matrix: it has no values, or was dropped after
/// it was read.
inline bool is_left_out(const Table& table, std::size_t column) {
  return table.missing[column] == table.rows || table.kinds[column] == ColumnKind::dropped;
}

/// What the cells of a table may hold: features may be text or missing, a matrix has only numbers.
enum class CellRule { features, matrix };

/// Empty, `?` and `NA` stand for an unknown value.
inline bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "?" || cell == "NA";
}

/// parse_number() of a cell, where 1,5 is a number if `decimal_comma`.
NumberKind parse_cell(std::string_view cell, bool decimal_comma, double& value);

/// Stores one row. A column that is still undecided is decided by its first value. Throws
/// std::invalid_argument for a cell that does not fit its column.
void add_row(Table& table, std::span<const std::string_view> cells, std::uint64_t line,
             CellRule rule);

/// The first rows of a table, held as text until the kinds of the columns are decided.
class RowSample {
 public:
  void add(std::span<const std::string_view> cells, std::uint64_t line);

  /// 1000 rows, or fewer where rows are so long that they would take over 64 MiB.
  [[nodiscard]] bool full() const;

  /// Decides the undecided columns of `table`: `number` if all values are numbers, `text` if more
  /// than half are other text. Throws std::invalid_argument for anything in between. A column
  /// without values stays undecided.
  void decide_kinds(Table& table) const;

  /// Calls use(cells, line) for each row in order.
  template <class Use>
  void replay(Use use) const {
    std::vector<std::string_view> cells;
    std::size_t at = 0;
    std::size_t cell = 0;
    for (const std::uint64_t line : lines_) {
      cells.clear();
      for (std::size_t i = 0; i < width_; ++i, ++cell) {
        cells.emplace_back(text_.data() + at, lengths_[cell]);
        at += lengths_[cell];
      }
      use(std::span<const std::string_view>(cells), line);
    }
  }

 private:
  void reject_first_text(const Table& table, std::size_t column) const;

  std::string text_;                    // the cells one after another
  std::vector<std::uint32_t> lengths_;  // of the cells
  std::vector<std::uint64_t> lines_;    // of the rows
  std::size_t width_ = 0;
};

/// Replaces missing cells by the median of their column or its most frequent category. Columns
/// without any value stay as they are. Returns notes on what was filled in.
std::vector<Message> fill_missing(Table& table);

struct EncodedTable {
  DenseArray values;
  std::vector<std::string> names;
  std::vector<Message> notes;
};

/// Turns the table into a matrix and leaves it empty. Numbers stay as they are; a category becomes
/// a column `column=value` of 0 and 1, in the order of the values. Columns without any value are
/// left out, with a note. Throws std::invalid_argument if a text column looks like an identifier or
/// no column is left.
EncodedTable encode_table(Table& table);

}  // namespace shiftcut

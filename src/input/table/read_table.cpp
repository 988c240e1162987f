// A table from its first line to an Input: detect its form, name its columns, decide their kinds,
// store the rows, fill gaps, encode.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/reject.hpp"
#include "input/matrix/dense_input.hpp"
#include "input/readers.hpp"
#include "input/table/columns.hpp"
#include "input/table/record_reader.hpp"
#include "input/table/table.hpp"
#include "input/table/table_encoding.hpp"
#include "input/table/table_form.hpp"

namespace shiftcut {

namespace {

// Detects the form of the table and advances to its first record, the header or a row.
TableForm read_first_record(RecordReader& records, const ReadOptions& options, char delimiter) {
  TableForm form = table_form(records, options, delimiter);
  records.set_delimiter(form.delimiter);
  if (!records.next()) {
    reject(records.file(), "found an empty file; allowed: a table with one or more rows");
  }
  return form;
}

Table begin_table(const std::string& file, std::vector<std::string> names, ReadOptions options,
                  CellRule rule) {
  Table table;
  table.file = file;
  if (rule == CellRule::matrix) {
    options.group_column.clear();
    if (!options.weight_column.empty()) {
      reject(file, message("not_applicable", "weight_column",
                           "found {weight_column} for a matrix; allowed: only for features"));
    }
  }
  table.kinds = plan_columns(file, names, options);
  table.names = std::move(names);
  table.missing.assign(table.names.size(), 0);
  table.categories.resize(table.names.size());
  for (std::size_t c = 0; c < table.kinds.size(); ++c) {
    ColumnKind& kind = table.kinds[c];
    if (rule == CellRule::matrix && kind == ColumnKind::undecided) {
      kind = ColumnKind::number;
    }
    if (kind != ColumnKind::label && kind != ColumnKind::group && kind != ColumnKind::weight &&
        kind != ColumnKind::dropped) {
      table.stored.push_back(static_cast<std::uint32_t>(c));
    }
  }
  return table;
}

// `first_is_row`: the current record is a row, not the header.
void read_rows(RecordReader& records, Table& table, const ReadOptions& options, CellRule rule,
               bool first_is_row) {
  const auto next = [&] {
    const bool there = first_is_row || records.next();
    first_is_row = false;
    if (there) {
      require_width(records, table.names.size(), options.header);
    }
    return there;
  };
  if (rule == CellRule::features) {
    RowSample sample;
    while (!sample.full() && next()) {
      sample.add(records.cells(), records.line());
    }
    sample.decide_kinds(table);
    sample.replay([&](std::span<const std::string_view> cells, std::uint64_t line) {
      add_row(table, cells, line, rule);
    });
  }
  while (next()) {
    add_row(table, records.cells(), records.line(), rule);
  }
  if (table.rows == 0) {
    reject(table.file, "found a header but no rows; allowed: one or more rows");
  }
}

// Data frames are often written with the numbers of their rows as a first column without a name.
// Such a column, distinct whole numbers, is left out.
bool leave_out_row_numbers(Table& table) {
  if (table.kinds[0] != ColumnKind::number || table.missing[0] > 0 || table.stored.size() < 2) {
    return false;
  }
  std::vector<double> numbers;
  numbers.reserve(table.rows);
  for (const std::vector<double>& block : table.cells.blocks()) {
    for (std::size_t i = 0; i < block.size(); i += table.stored.size()) {
      numbers.push_back(block[i]);
    }
  }
  std::ranges::sort(numbers);
  const bool are_whole =
      std::ranges::all_of(numbers, [](double number) { return number == std::floor(number); });
  if (!are_whole || std::ranges::adjacent_find(numbers) != numbers.end()) {
    return false;
  }
  table.kinds[0] = ColumnKind::dropped;
  return true;
}

// A column that counts the rows, such as an id, says nothing about them but where they stand.
void add_notes_on_counts(Table& table, std::vector<Message>& notes) {
  constexpr std::size_t kLeastRows = 10;  // fewer may count by chance
  const std::size_t width = table.stored.size();
  for (std::size_t c = 0; c < width && width > 1 && table.rows >= kLeastRows; ++c) {
    const std::uint32_t column = table.stored[c];
    if (table.kinds[column] != ColumnKind::number || table.missing[column] > 0) {
      continue;
    }
    const double first = table.cells.blocks().front()[c];
    double expected = first;
    const bool counts = std::ranges::all_of(table.cells.blocks(), [&](const auto& block) {
      for (std::size_t i = c; i < block.size(); i += width) {
        if (block[i] != expected++) {
          return false;
        }
      }
      return true;
    });
    if (counts) {
      notes.push_back(message("row_numbers", "drop",
                              "column {} counts the rows, from {}, and is used like any other: "
                              "{drop} {} ignores it",
                              quoted(table.names[column]), first, quoted(table.names[column])));
    }
  }
}

// A header that names a column of numbers by a number may be a row.
void add_note_on_numbers_as_names(const Table& table, std::vector<Message>& notes) {
  for (const std::uint32_t column : table.stored) {
    double value = 0;
    if (table.kinds[column] == ColumnKind::number &&
        parse_cell(table.names[column], table.decimal_comma, value) != NumberKind::text) {
      notes.push_back(message("header_line", "header",
                              "the first line was treated as names, though column {} holds numbers "
                              "and is called {}: if it is a row, pass {header=false}",
                              column + 1, quoted(table.names[column])));
      return;
    }
  }
}

// The header of a matrix names its objects if all names differ.
void name_objects(Input& input, std::vector<std::string> names, bool header) {
  const std::unordered_set<std::string_view> distinct(names.begin(), names.end());
  if (header && distinct.size() == names.size()) {
    input.ids = std::move(names);
  }
}

// Positions in `rows`, in the order of the rows in the file.
std::vector<std::size_t> in_file_order(std::span<const std::size_t> rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
  return order;
}

std::vector<std::size_t> columns_shown(const std::vector<std::string>& names,
                                       const std::string& label_column) {
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (label_column.empty() || names[c] != label_column) {
      shown.push_back(c);
    }
  }
  return shown;
}

}  // namespace

Input read_table(ByteSource& source, const ReadOptions& options, char delimiter) {
  return read_table(source, options, delimiter, nullptr);
}

Input read_table(ByteSource& source, const ReadOptions& options, char delimiter,
                 std::shared_ptr<const TableEncoding>* encoding) {
  const bool features =
      options.shape == ShapeChoice::automatic || options.shape == ShapeChoice::features;
  const CellRule rule = features ? CellRule::features : CellRule::matrix;
  if (!features && !options.categorical.empty()) {
    reject(source.name(), message("not_applicable", "categorical",
                                  "found {categorical} for a matrix; allowed: only for features"));
  }

  RecordReader records(source, delimiter);
  TableForm form = read_first_record(records, options, delimiter);
  std::vector<Message> notes = std::move(form.notes);
  const auto add_notes = [&](const std::vector<Message>& more) {
    notes.insert(notes.end(), more.begin(), more.end());
  };
  std::vector<std::string> names = column_names(records, options.header, form.decimal_comma);
  const bool first_is_unnamed = features && options.header && records.cells()[0].empty();
  std::vector<Message> notes_of_names;
  if (options.header) {
    notes_of_names = notes_on_names(records.cells(), names);
  }
  Table table = begin_table(source.name(), std::move(names), options, rule);
  table.decimal_comma = form.decimal_comma;
  read_rows(records, table, options, rule, !options.header);
  if (first_is_unnamed && leave_out_row_numbers(table)) {
    notes_of_names.front() = message(
        "column_names", "",
        "column 1 has no name and numbers the rows: it was left out; give it a name to use it");
  }
  add_notes(notes_of_names);
  if (options.header && !source.is_converted()) {
    add_note_on_numbers_as_names(table, notes);
  }
  if (features) {
    add_notes_on_counts(table, notes);
  }
  records.lines().add_note_on_end(notes);

  if (features && encoding != nullptr) {
    *encoding = encoding_of(table, options.header);
  }
  add_notes(fill_missing(table));
  EncodedTable encoded = encode_table(table);
  Input input = dense_input(std::move(encoded.values), options.shape, Shape::features, source,
                            FiniteCheck::done);
  if (features) {
    input.column_names = std::move(encoded.names);
  } else {
    name_objects(input, std::move(encoded.names), options.header);
  }
  input.groups = table.groups.take();
  input.weights = table.weights.take();
  input.truth = table.labels.take();
  input.truth_names = table.label_names.take_names();
  add_notes(encoded.notes);
  input.notes = std::move(notes);
  return input;
}

TableCells read_table_cells(ByteSource& source, const ReadOptions& options, char delimiter,
                            std::span<const std::size_t> rows) {
  RecordReader records(source, delimiter);
  const TableForm form = read_first_record(records, options, delimiter);
  const std::vector<std::string> names = column_names(records, options.header, form.decimal_comma);
  const std::vector<std::size_t> shown = columns_shown(names, options.label_column);
  TableCells table;
  for (const std::size_t c : shown) {
    table.names.push_back(names[c]);
  }
  table.rows.resize(rows.size());
  bool there = options.header ? records.next() : true;
  std::size_t row = 0;
  for (const std::size_t wanted : in_file_order(rows)) {
    for (; there && row < rows[wanted]; ++row) {
      there = records.next();
    }
    if (!there) {
      reject(source.name(), fmt::format("found {} rows while looking for row {} (counted from 0); "
                                        "allowed: a file that does not change in the meantime",
                                        row, rows[wanted]));
    }
    require_width(records, names.size(), options.header);
    for (const std::size_t c : shown) {
      table.rows[wanted].emplace_back(records.cells()[c]);
    }
  }
  return table;
}

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool holds(std::string_view cell, std::string_view text) {
  return std::ranges::search(cell, text, {}, lower, lower).begin() != cell.end();
}

}  // namespace

std::vector<FoundCell> find_table_cells(ByteSource& source, const ReadOptions& options,
                                        char delimiter, std::string_view text, std::size_t most) {
  RecordReader records(source, delimiter);
  const TableForm form = read_first_record(records, options, delimiter);
  const std::vector<std::string> names = column_names(records, options.header, form.decimal_comma);
  std::vector<std::size_t> shown = columns_shown(names, options.label_column);
  const std::size_t sign = text.find('=');
  const auto named = std::ranges::find(names, text.substr(0, sign));
  const bool is_of_column = sign != std::string_view::npos && named != names.end();
  if (is_of_column) {
    shown = {static_cast<std::size_t>(named - names.begin())};
    text = text.substr(sign + 1);
  }
  std::vector<FoundCell> found;
  bool there = options.header ? records.next() : true;
  for (std::size_t row = 0; there && found.size() < most && !text.empty(); ++row) {
    require_width(records, names.size(), options.header);
    const auto column = std::ranges::find_if(shown, [&](std::size_t c) {
      const std::string_view cell = records.cells()[c];
      return is_of_column ? cell == text : holds(cell, text);
    });
    if (column != shown.end()) {
      found.push_back({row, names[*column], std::string(records.cells()[*column])});
    }
    there = records.next();
  }
  return found;
}

}  // namespace shiftcut

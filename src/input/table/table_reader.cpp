// A table from its header to an Input: see table_reader.hpp.
#include "input/table/table_reader.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "core/text.hpp"
#include "input/bytes/reject.hpp"
#include "input/matrix/dense_input.hpp"
#include "input/table/column_names.hpp"
#include "input/table/encode_table.hpp"
#include "input/table/fill_missing.hpp"
#include "input/table/plan_columns.hpp"
#include "input/table/record_reader.hpp"
#include "input/table/row_sample.hpp"
#include "input/table/table_encoding.hpp"
#include "input/table/table_form.hpp"
#include "input/table/table_rows.hpp"

namespace shiftcut {

namespace {

Table begin_table(const std::string& file, std::vector<std::string> names, ReadOptions options,
                  CellRule rule) {
  Table table;
  table.file = file;
  if (rule == CellRule::matrix) {
    options.group_column.clear();
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
    if (kind != ColumnKind::label && kind != ColumnKind::group && kind != ColumnKind::dropped) {
      table.stored.push_back(static_cast<std::uint32_t>(c));
    }
  }
  return table;
}

void read_rows(RecordReader& records, Table& table, const ReadOptions& options, CellRule rule,
               bool record_waits) {
  const auto next = [&] {
    const bool there = record_waits || records.next();
    record_waits = false;
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

// A name that reads as a number, over a column of numbers, may be a row that was taken for names.
std::string note_on_numbers_as_names(const Table& table) {
  for (const std::uint32_t column : table.stored) {
    double value = 0;
    if (table.kinds[column] == ColumnKind::number &&
        parse_cell(table.names[column], table.decimal_comma, value) != NumberKind::text) {
      return fmt::format(
          "the first line was taken for names, though column {} holds numbers and "
          "is called {}: if it is a row, pass --no-header",
          column + 1, quoted(table.names[column]));
    }
  }
  return "";
}

// The header of a matrix names its objects, if each name is there once.
void name_objects(Input& input, std::vector<std::string> names, bool header) {
  const std::unordered_set<std::string_view> distinct(names.begin(), names.end());
  if (header && distinct.size() == names.size()) {
    input.ids = std::move(names);
  }
}

}  // namespace

Input read_table(ByteSource& source, const ReadOptions& options, char delimiter) {
  const bool features =
      options.shape == ShapeChoice::automatic || options.shape == ShapeChoice::features;
  const CellRule rule = features ? CellRule::features : CellRule::matrix;
  if (!features && !options.categorical.empty()) {
    reject(source.name(), "found --categorical for a matrix; allowed: for features only");
  }

  RecordReader records(source, delimiter);
  TableForm form = table_form(records, options, delimiter);
  records.set_delimiter(form.delimiter);
  if (!records.next()) {
    reject(source.name(), "found an empty file; allowed: a table with one or more rows");
  }
  std::vector<std::string> notes = std::move(form.notes);
  const auto add_notes = [&](const std::vector<std::string>& more) {
    notes.insert(notes.end(), more.begin(), more.end());
  };
  std::vector<std::string> names = column_names(records, options.header, form.decimal_comma);
  if (options.header) {
    add_notes(notes_on_names(records.cells(), names));
  }
  Table table = begin_table(source.name(), std::move(names), options, rule);
  table.decimal_comma = form.decimal_comma;
  read_rows(records, table, options, rule, !options.header);
  for (const std::string& note : {options.header ? note_on_numbers_as_names(table) : std::string(),
                                  records.lines().note_on_end()}) {
    if (!note.empty()) {
      notes.push_back(note);
    }
  }

  std::shared_ptr<const TableEncoding> encoding =
      features && options.keep_encoding ? encoding_of(table, options.header) : nullptr;
  add_notes(fill_missing(table));
  EncodedTable encoded = encode_table(table);
  Input input = dense_input(std::move(encoded.values), options.shape, Shape::features, source,
                            FiniteCheck::done);
  if (features) {
    input.column_names = std::move(encoded.names);
  } else {
    name_objects(input, std::move(encoded.names), options.header);
  }
  input.encoding = std::move(encoding);
  input.groups = table.groups.take();
  input.truth = table.labels.take();
  input.truth_names = table.label_names.take_names();
  add_notes(encoded.notes);
  input.notes = std::move(notes);
  return input;
}

}  // namespace shiftcut

// A table from its header to an Input: see table_reader.hpp.
#include "input/table_reader.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "input/column_names.hpp"
#include "input/dense_input.hpp"
#include "input/encode_table.hpp"
#include "input/fill_missing.hpp"
#include "input/plan_columns.hpp"
#include "input/record_reader.hpp"
#include "input/reject.hpp"
#include "input/row_sample.hpp"
#include "input/table_rows.hpp"

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
  if (!records.next()) {
    reject(source.name(), "found an empty file; allowed: a table with one or more rows");
  }
  Table table = begin_table(source.name(), column_names(records, options.header), options, rule);
  read_rows(records, table, options, rule, !options.header);

  std::vector<std::string> notes = fill_missing(table);
  EncodedTable encoded = encode_table(table);
  Input input = dense_input(std::move(encoded.values), options.shape, Shape::features, source,
                            FiniteCheck::done);
  if (features) {
    input.column_names = std::move(encoded.names);
  } else {
    name_objects(input, std::move(encoded.names), options.header);
  }
  input.groups = table.groups.take();
  input.truth = table.labels.take();
  input.truth_names = table.label_names.take_names();
  input.notes = std::move(notes);
  input.notes.insert(input.notes.end(), encoded.notes.begin(), encoded.notes.end());
  return input;
}

}  // namespace shiftcut

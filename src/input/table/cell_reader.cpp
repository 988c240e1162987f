// Cells of a table as text: see cell_reader.hpp.
#include "input/table/cell_reader.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "input/bytes/reject.hpp"
#include "input/table/column_names.hpp"
#include "input/table/record_reader.hpp"
#include "input/table/table_form.hpp"

namespace shiftcut {

namespace {

// Positions in `rows`, in the order in which the file holds them.
std::vector<std::size_t> by_row(std::span<const std::size_t> rows) {
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

TableCells read_table_cells(ByteSource& source, const ReadOptions& options, char delimiter,
                            std::span<const std::size_t> rows) {
  RecordReader records(source, delimiter);
  const TableForm form = table_form(records, options, delimiter);
  records.set_delimiter(form.delimiter);
  if (!records.next()) {
    reject(source.name(), "found an empty file; allowed: a table with one or more rows");
  }
  const std::vector<std::string> names = column_names(records, options.header, form.decimal_comma);
  const std::vector<std::size_t> shown = columns_shown(names, options.label_column);
  TableCells table;
  for (const std::size_t c : shown) {
    table.names.push_back(names[c]);
  }
  table.rows.resize(rows.size());
  bool there = options.header ? records.next() : true;
  std::size_t row = 0;
  for (const std::size_t wanted : by_row(rows)) {
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

}  // namespace shiftcut

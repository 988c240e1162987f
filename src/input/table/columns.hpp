// The columns of a table: their names, whether the rows fit them, and what the options say about
// each.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/table/record_reader.hpp"
#include "input/table/table.hpp"
#include "shiftcut/message.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// The names of the columns by the current record, which is the table's first: cK where a name is
/// empty, or everywhere if there is no header. Throws std::invalid_argument for a header of
/// numbers.
std::vector<std::string> column_names(const RecordReader& records, bool header, bool decimal_comma);

/// Notes on columns without a name in the header, or with the name of another column.
std::vector<Message> notes_on_names(std::span<const std::string_view> header,
                                    const std::vector<std::string>& names);

/// Throws std::invalid_argument unless the current record has `width` cells.
void require_width(const RecordReader& records, std::size_t width, bool header);

/// The kinds that the options set; all other columns are `undecided`. Throws std::invalid_argument
/// if an option names a column that does not exist, exists twice or is named by another option too,
/// or if no column of features is left.
std::vector<ColumnKind> plan_columns(const std::string& file, const std::vector<std::string>& names,
                                     const ReadOptions& options);

}  // namespace shiftcut

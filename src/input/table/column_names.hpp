// The header of a table, and whether the rows fit it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/table/record_reader.hpp"
#include "shiftcut/message.hpp"

namespace shiftcut {

/// What the current record, the table's first, calls its columns: cK where it names none, or where
/// there is no header. Throws std::invalid_argument for a header of numbers.
std::vector<std::string> column_names(const RecordReader& records, bool header, bool decimal_comma);

/// Sentences on columns that have no name in the header, or the name of another.
std::vector<Message> notes_on_names(std::span<const std::string_view> header,
                                    const std::vector<std::string>& names);

/// Throws std::invalid_argument unless the current record has so many cells.
void require_width(const RecordReader& records, std::size_t width, bool header);

}  // namespace shiftcut

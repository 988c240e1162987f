// Reads the text of some rows of a table.
#pragma once

#include <span>

#include "input/bytes/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// See read_cells(): `rows` in any order, also one twice. Throws std::invalid_argument.
TableCells read_table_cells(ByteSource& source, const ReadOptions& options, char delimiter,
                            std::span<const std::size_t> rows);

}  // namespace shiftcut

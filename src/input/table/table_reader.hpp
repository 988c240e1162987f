// Reads CSV and TSV tables.
#pragma once

#include "input/bytes/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Streams the table: memory is its numbers, not its text. Throws std::invalid_argument.
Input read_table(ByteSource& source, const ReadOptions& options, char delimiter);

}  // namespace shiftcut

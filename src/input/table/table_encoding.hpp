// How a table's columns became numbers, and other tables encoded in the same way.
#pragma once

#include <memory>

#include "input/bytes/byte_source.hpp"
#include "input/table/table.hpp"
#include "shiftcut/encoding.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Of a table whose missing cells have not been filled yet. `has_names`: its header named the
/// columns.
std::shared_ptr<const TableEncoding> encoding_of(Table& table, bool has_names);

/// See read_like(). A median that is NaN fills nothing: a missing cell is refused.
Input read_table_like(ByteSource& source, const ReadOptions& options, char delimiter,
                      const TableEncoding& encoding);

}  // namespace shiftcut

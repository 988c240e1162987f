// How a table's columns became numbers, and other tables encoded in the same way.
#pragma once

#include <memory>

#include "input/bytes/byte_source.hpp"
#include "input/table/table.hpp"
#include "shiftcut/encoding.hpp"

namespace shiftcut {

/// Of a table whose missing cells have not been filled yet. `has_names`: its header named the
/// columns.
std::shared_ptr<const TableEncoding> encoding_of(Table& table, bool has_names);

/// Of the values there are in the column table.stored[stored], one or more.
double median_of_column(Table& table, std::size_t stored);

/// The most frequent category; among equally frequent ones, the first by name.
std::size_t mode(const Categories& categories);

/// As read_table(), and the encoding of features, unless it is null.
Input read_table(ByteSource& source, const ReadOptions& options, char delimiter,
                 std::shared_ptr<const TableEncoding>* encoding);

/// See read_like(). A median that is NaN fills nothing: a missing cell is refused.
Input read_table_like(ByteSource& source, const ReadOptions& options, char delimiter,
                      const TableEncoding& encoding);

}  // namespace shiftcut

// Adds rows of cells to a Table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "input/table/table.hpp"

namespace shiftcut {

/// What cells a table may hold: features may have gaps and text, a matrix only numbers.
enum class CellRule { features, matrix };

/// Stores one row; its columns that are still undecided are decided by their first value. Throws
/// std::invalid_argument for a cell that does not fit its column.
void add_row(Table& table, std::span<const std::string_view> cells, std::uint64_t line,
             CellRule rule);

/// Throws std::invalid_argument for text in a column of numbers.
[[noreturn]] void reject_text_in_numbers(const Table& table, std::uint64_t line, std::size_t column,
                                         std::string_view cell);

}  // namespace shiftcut

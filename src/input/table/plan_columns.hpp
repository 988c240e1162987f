// What becomes of each column of a table, by the options that name columns.
#pragma once

#include <string>
#include <vector>

#include "input/table/table.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Columns nobody names are `undecided`. Throws std::invalid_argument if an option names a column
/// that is not there, or twice there, or that another option names too, or if none is left.
std::vector<ColumnKind> plan_columns(const std::string& file, const std::vector<std::string>& names,
                                     const ReadOptions& options);

}  // namespace shiftcut

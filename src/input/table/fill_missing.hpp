// Gives the missing cells of a table the median of their column, or the most frequent category.
#pragma once

#include <string>
#include <vector>

#include "input/table/table.hpp"

namespace shiftcut {

/// Columns without any value keep their gaps. Returns sentences on what was filled in.
std::vector<std::string> fill_missing(Table& table);

/// Of the values there are in the column table.stored[stored], one or more.
double median_of_column(Table& table, std::size_t stored);

/// The most frequent category; of equals, the first by name.
std::size_t mode(const Categories& categories);

}  // namespace shiftcut

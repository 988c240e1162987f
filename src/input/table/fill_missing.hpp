// Gives the missing cells of a table the median of their column, or the most frequent category.
#pragma once

#include <string>
#include <vector>

#include "input/table/table.hpp"
#include "shiftcut/message.hpp"

namespace shiftcut {

/// Columns without any value keep their gaps. Returns sentences on what was filled in.
std::vector<Message> fill_missing(Table& table);

}  // namespace shiftcut

// The cells of a table as one matrix: numbers as they are, categories one-hot.
#pragma once

#include <string>
#include <vector>

#include "input/table/table.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/message.hpp"

namespace shiftcut {

struct EncodedTable {
  DenseArray values;
  std::vector<std::string> names;
  std::vector<Message> notes;
};

/// Empties `table`. A category is a column `column=value` of 0 and 1, in the order of the values;
/// columns without any value are left out, with a note. Throws std::invalid_argument if a text
/// column looks like an identifier or no column is left.
EncodedTable encode_table(Table& table);

}  // namespace shiftcut

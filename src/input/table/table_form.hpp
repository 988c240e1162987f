// How the text of a table is to be read: what stands between its cells, and in its numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input/table/record_reader.hpp"
#include "shiftcut/message.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

struct TableForm {
  char delimiter = ',';
  bool decimal_comma = false;  // 1,5 is one and a half
  std::vector<Message> notes;  // on what was found out, not told
};

/// `usual` is the delimiter of the format, options.delimiter comes before it. A comma gives way to
/// a semicolon, tab or bar that splits all the first lines into as many cells, where commas do not.
/// Numbers have a decimal comma where the delimiter is none, some of the first rows have one and
/// none a decimal point. To be asked before the first record is read.
TableForm table_form(RecordReader& records, const ReadOptions& options, char usual);

/// The cells of a line, trimmed and without the quotes around them, for a first look at it.
std::vector<std::string_view> cells_of(std::string_view line, char delimiter);

}  // namespace shiftcut

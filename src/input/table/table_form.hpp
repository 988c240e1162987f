// Detects how the text of a table is to be read: what separates its cells, and the decimal mark of
// its numbers.
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
  std::vector<Message> notes;  // on what was detected rather than given
};

/// To be called before the first record is read. options.delimiter takes precedence over
/// `standard`, the delimiter of the format. A standard comma gives way to the semicolon, tab or bar
/// that splits all of the first lines into the same number of cells, if commas do not. Numbers have
/// a decimal comma if the delimiter is not a comma, some of the first rows have one and none has a
/// decimal point.
TableForm table_form(RecordReader& records, const ReadOptions& options, char standard);

/// The cells of a single line, trimmed and without the quotes around them: enough for detection.
std::vector<std::string_view> cells_of(std::string_view line, char delimiter);

}  // namespace shiftcut

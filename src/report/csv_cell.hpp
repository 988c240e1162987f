// One cell of a CSV file.
#pragma once

#include <string>
#include <string_view>

namespace shiftcut {

/// Appends a cell as RFC 4180 wants it; any bytes are kept as they are.
inline void append_cell(std::string& out, std::string_view cell) {
  const bool padded = !cell.empty() && (cell.front() == ' ' || cell.back() == ' ');
  if (!padded && cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace shiftcut

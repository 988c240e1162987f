// The words of a line.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace shiftcut {

inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Puts the words of `line`, separated by blanks, into `fields` and says how many there are, those
/// that did not fit included.
inline std::size_t split_fields(std::string_view line, std::span<std::string_view> fields) {
  std::size_t count = 0;
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && is_space(line[at])) {
      ++at;
    }
    if (at == line.size()) {
      return count;
    }
    const std::size_t begin = at;
    while (at < line.size() && !is_space(line[at])) {
      ++at;
    }
    if (count < fields.size()) {
      fields[count] = line.substr(begin, at - begin);
    }
    ++count;
  }
}

}  // namespace shiftcut

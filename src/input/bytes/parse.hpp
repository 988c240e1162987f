// Words and numbers in a line of text, the same in every locale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace shiftcut {

/// Blanks within a line: CR is one, since lines may end in CRLF.
inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline std::string_view skip_spaces(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_space(text[at])) {
    ++at;
  }
  return text.substr(at);
}

/// `text` without blanks at either end.
std::string_view trimmed(std::string_view text);

/// A to Z become a to z; all other bytes stay.
std::string lower_case(std::string_view text);

/// Puts the words of `line`, separated by blanks, into `fields`. Returns how many words there are,
/// including those that did not fit.
std::size_t split_fields(std::string_view line, std::span<std::string_view> fields);

enum class NumberKind { finite, not_finite, text };

/// Reads all of `text` as a decimal number into `value`. `not_finite`: nan, inf or too large for a
/// double; `text`: not a number. A number too small for a double is 0.
NumberKind parse_number(std::string_view text, double& value);

/// Reads all of `text` as digits; nothing if it is anything else or the number exceeds `most`.
std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t most);

}  // namespace shiftcut

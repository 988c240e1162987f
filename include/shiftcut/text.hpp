// Makes text of unknown origin (cells, ids, names of columns and files) safe to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shiftcut {

/// One letter of UTF-8 text and its number of bytes.
struct Letter {
  char32_t code;
  std::size_t bytes;
};

/// The code of a byte that does not begin a letter.
inline constexpr char32_t kNoLetter = 0xFFFFFFFF;

/// The first letter of the text, which is not empty.
Letter first_letter(std::string_view text);

/// The text without anything a terminal would obey: control characters (C0, DEL and C1) become
/// \xNN; bytes that are not UTF-8, and marks that change the direction of writing, a replacement
/// character.
std::string harmless(std::string_view text);

}  // namespace shiftcut

// Text of unknown origin (cells, ids, names of columns and files), made safe to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shiftcut {

/// One letter of UTF-8 text and how many bytes it takes.
struct Letter {
  char32_t code;
  std::size_t bytes;
};

/// The code of a byte that begins no letter.
inline constexpr char32_t kNoLetter = 0xFFFFFFFF;

/// The letter that the text, which is not empty, begins with.
Letter first_letter(std::string_view text);

/// The text without anything a terminal would obey: control characters (C0, DEL and C1) as \xNN,
/// bytes that are no UTF-8 and marks that turn the direction of writing as a replacement character.
std::string harmless(std::string_view text);

}  // namespace shiftcut

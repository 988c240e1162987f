// Text from the data as a page may show it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "shiftcut/text.hpp"

namespace shiftcut {

/// Harmless, and no longer than `most` bytes; an ellipsis where something is left out.
inline std::string shown(std::string_view text, std::size_t most) {
  if (text.size() <= most) {
    return harmless(text);
  }
  std::size_t end = most;
  while (end > most - 4 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;  // not within a letter
  }
  return harmless(text.substr(0, end)) + "\u2026";
}

}  // namespace shiftcut

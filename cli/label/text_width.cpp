#include "label/text_width.hpp"

#include <array>
#include <utility>

namespace {

using shiftcut::first_letter;
using shiftcut::Letter;

constexpr const char* kEllipsis = "\xE2\x80\xA6";

template <std::size_t N>
bool is_in(char32_t code, const std::array<std::pair<char32_t, char32_t>, N>& ranges) {
  for (const auto& [first, last] : ranges) {
    if (code >= first && code <= last) {
      return true;
    }
  }
  return false;
}

std::size_t columns(char32_t code) {
  if (is_in<5>(code, {{{0x0300, 0x036F},
                       {0x200B, 0x200D},
                       {0x20D0, 0x20FF},
                       {0xFE00, 0xFE0F},
                       {0xFEFF, 0xFEFF}}})) {
    return 0;
  }
  return is_in<8>(code, {{{0x1100, 0x115F},
                          {0x2E80, 0xA4CF},
                          {0xAC00, 0xD7A3},
                          {0xF900, 0xFAFF},
                          {0xFE30, 0xFE6F},
                          {0xFF00, 0xFF60},
                          {0x1F300, 0x1FAFF},
                          {0x20000, 0x3FFFD}}})
             ? 2
             : 1;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    width += columns(letter.code);
    text.remove_prefix(letter.bytes);
  }
  return width;
}

std::string fitted(std::string_view text, std::size_t width) {
  const std::size_t whole = width_of(text);
  if (whole <= width) {
    return std::string(text) + std::string(width - whole, ' ');
  }
  std::string out;
  std::size_t used = 0;
  while (width > 0) {
    const Letter letter = first_letter(text);
    if (used + columns(letter.code) > width - 1) {
      break;
    }
    out += text.substr(0, letter.bytes);
    used += columns(letter.code);
    text.remove_prefix(letter.bytes);
  }
  return width == 0 ? "" : out + kEllipsis + std::string(width - 1 - used, ' ');
}

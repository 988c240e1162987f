#include "text_width.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace {

constexpr char32_t kBad = 0xFFFFFFFF;
constexpr const char* kReplacement = "\xEF\xBF\xBD";
constexpr const char* kEllipsis = "\xE2\x80\xA6";

struct Letter {
  char32_t code;
  std::size_t bytes;
};

// The letter the text begins with; kBad for a byte that begins none.
Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    return {lead, 1};
  }
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) {
    return {kBad, 1};
  }
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) {
      return {kBad, 1};
    }
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kSmallest[bytes] || code > 0x10FFFF || surrogate ? Letter{kBad, 1}
                                                                 : Letter{code, bytes};
}

template <std::size_t N>
bool is_in(char32_t code, const std::array<std::pair<char32_t, char32_t>, N>& ranges) {
  for (const auto& [first, last] : ranges) {
    if (code >= first && code <= last) {
      return true;
    }
  }
  return false;
}

bool turns_direction(char32_t code) {
  return is_in<4>(code, {{{0x061C, 0x061C}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}}});
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

std::string harmless(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (letter.code < 0x20 || (letter.code >= 0x7F && letter.code < 0xA0)) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(letter.code));
    } else if (letter.code == kBad || turns_direction(letter.code)) {
      out += kReplacement;
    } else {
      out += text.substr(0, letter.bytes);
    }
    text.remove_prefix(letter.bytes);
  }
  return out;
}

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

// Text that may be shown: see include/shiftcut/text.hpp and text.hpp.
#include "core/text.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace shiftcut {

namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

bool turns_direction(char32_t code) {
  return code == 0x061C || (code >= 0x200E && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

}  // namespace

Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    return {lead, 1};
  }
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) {
    return {kNoLetter, 1};
  }
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[i])) {
      return {kNoLetter, 1};
    }
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kSmallest[bytes] || code > 0x10FFFF || surrogate ? Letter{kNoLetter, 1}
                                                                 : Letter{code, bytes};
}

std::string harmless(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (letter.code < 0x20 || (letter.code >= 0x7F && letter.code < 0xA0)) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(letter.code));
    } else if (letter.code == kNoLetter || turns_direction(letter.code)) {
      out += kReplacement;
    } else {
      out += text.substr(0, letter.bytes);
    }
    text.remove_prefix(letter.bytes);
  }
  return out;
}

std::string quoted(std::string_view text, std::size_t longest) {
  std::size_t shown = std::min(text.size(), longest);
  for (int i = 0; i < 3 && shown < text.size() && shown > 0 && is_continuation(text[shown]); ++i) {
    --shown;
  }
  return fmt::format("'{}{}'", harmless(text.substr(0, shown)), shown < text.size() ? "..." : "");
}

std::string comma_separated(std::span<const std::string> texts) {
  std::string out;
  for (const std::string& text : texts) {
    out += (out.empty() ? "" : ", ") + text;
  }
  return out;
}

}  // namespace shiftcut

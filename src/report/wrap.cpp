#include "report/wrap.hpp"

#include <algorithm>

namespace shiftcut {
namespace {

bool is_blank(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7f;
}

std::size_t characters(std::string_view word) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  return word.size() - static_cast<std::size_t>(std::ranges::count_if(word, continues));
}

/// Takes the next word off the front of `text`; empty at its end.
std::string_view next_word(std::string_view& text) {
  const auto* const begin = std::ranges::find_if_not(text, is_blank);
  const auto* const end = std::find_if(begin, text.end(), is_blank);
  const std::string_view word(begin, end);
  text = std::string_view(end, text.end());
  return word;
}

}  // namespace

std::string wrapped(std::string_view lead, std::string_view text, std::size_t width) {
  std::string out(lead);
  std::size_t column = characters(lead);
  bool line_has_word = false;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const std::size_t length = characters(word);
    if (line_has_word && column + 1 + length > width) {
      out += "\n  ";
      column = 2;
      line_has_word = false;
    }
    if (line_has_word) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    line_has_word = true;
  }
  return out += '\n';
}

}  // namespace shiftcut

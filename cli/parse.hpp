// From option texts to values, with one way to refuse: what was found, what is allowed.
#pragma once

#include <charconv>
#include <map>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "shiftcut/text.hpp"

inline constexpr std::size_t kLongest = 120;

/// The text as it may stand in a one-line message.
inline std::string printable(const std::string& text) {
  if (text.size() <= kLongest) {
    return shiftcut::harmless(text);
  }
  std::size_t end = kLongest;
  while (end > kLongest - 4 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;  // not within a letter
  }
  return shiftcut::harmless(text.substr(0, end)) + "...";
}

[[noreturn]] inline void refuse(const std::string& option, const std::string& found,
                                const std::string& allowed) {
  throw std::invalid_argument(
      fmt::format("{}: found '{}'; allowed: {}", option, printable(found), allowed));
}

/// A number of type T that fills the whole text.
template <class T>
T number(const std::string& option, const std::string& text, const std::string& allowed) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) {
    refuse(option, text, allowed);
  }
  return value;
}

/// The value that goes with a word.
template <class T>
T choice(const std::string& option, const std::string& text,
         const std::map<std::string, T>& words) {
  const auto it = words.find(text);
  if (it == words.end()) {
    std::string allowed;
    for (const auto& [word, value] : words) {
      allowed += (allowed.empty() ? "" : ", ") + word;
    }
    refuse(option, text, allowed);
  }
  return it->second;
}

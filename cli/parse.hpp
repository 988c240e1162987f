// From option texts to values, with one way to refuse: what was found, what is allowed.
#pragma once

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "shiftcut/text.hpp"
#include "shiftcut/words.hpp"

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

/// How the command line writes a parameter of the library: --shift-strength, --similarity rbf.
inline std::string option_name(std::string_view parameter, std::string_view value) {
  if (parameter == "header") {
    return "--no-header";
  }
  if (parameter == "answer") {
    return "answer";
  }
  std::string name = parameter == "clusters" ? "-k" : parameter == "shape" ? "--as" : "--";
  if (name == "--") {
    name += parameter;
    std::replace(name.begin(), name.end(), '_', '-');
  }
  return value.empty() ? name : name.append(" ").append(value);
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
template <class Enum>
Enum choice(const std::string& option, const std::string& text) {
  const auto value = shiftcut::from_word<Enum>(text);
  if (!value) {
    refuse(option, text, shiftcut::list_words<Enum>());
  }
  return *value;
}

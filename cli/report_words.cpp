#include "report_words.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace {

constexpr std::array<std::string_view, 10> kOfOutput = {
    "--labels", "--json",    "--model",    "--report",   "--quiet",
    "--port",   "--answers", "--strategy", "--no-learn", "--no-browser"};

// As a word of a POSIX shell.
std::string quoted(const std::string& word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("@%+=:,./_-").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) {
    return word;
  }
  std::string out = "'";
  for (const char c : word) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

}  // namespace

std::string title_of(const shiftcut::Input& input) {
  const std::size_t slash = input.name.find_last_of('/');
  return slash == std::string::npos || slash + 1 == input.name.size()
             ? input.name
             : input.name.substr(slash + 1);
}

std::string grouping_command(const Command& command, const std::string& answers) {
  std::string text = "shiftcut cluster";
  for (const Command::Given& option : command.given()) {
    if (std::ranges::find(kOfOutput, option.name) != kOfOutput.end()) {
      continue;
    }
    if (option.name.starts_with("-")) {
      text += " " + option.name;
    }
    for (const std::string& value : option.values) {
      text += " " + quoted(value);
    }
  }
  return answers.empty() ? text : text + " --pairs " + quoted(answers);
}

#include "label/answers_file.hpp"

#include <filesystem>
#include <stdexcept>

#include <fmt/core.h>

#include "parse.hpp"

namespace fs = std::filesystem;

void require_readable_again(const std::string& path) {
  std::error_code error;
  const bool is_other = fs::exists(path, error) && !fs::is_regular_file(path, error);
  if (path == "-" || is_other) {
    refuse("INPUT", path, "a file that can be read more than once");
  }
}

OutputFile named_after_input(const char* option, const char* ending,
                             const ClusterArguments& grouping, std::string& path) {
  if (path.empty()) {
    path = fs::path(grouping.read.path).filename().string() + ending;
  }
  if (path == "-") {
    refuse(option, path, "a file: standard output is for the person who answers");
  }
  OutputFile file(option, path);
  grouping.require_other_than_read(file);
  return file;
}

OutputFile answers_file(const char* option, const ClusterArguments& grouping, std::string& path) {
  OutputFile file = named_after_input(option, ".answers.csv", grouping, path);
  if (!file.is_regular()) {
    refuse(option, file.path(), "a file that can be read again");
  }
  return file;
}

std::vector<shiftcut::Answer> answers_before(const std::string& path,
                                             const shiftcut::Input& input) {
  if (!fs::exists(path)) {
    return {};
  }
  return shiftcut::answers_from(shiftcut::read_answers(path), input);
}

void resume(shiftcut::Feedback& feedback, const std::vector<shiftcut::Answer>& answers,
            const std::string& file, const shiftcut::Control& control) {
  if (answers.empty()) {
    return;
  }
  try {
    feedback.answer(answers, control);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(
        fmt::format("{}: {}", printable(file), shiftcut::render(error, option_name)));
  }
}

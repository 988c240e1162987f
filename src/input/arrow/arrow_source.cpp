#include "input/arrow/arrow_source.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/arrow/arrow_script.hpp"
#include "input/bytes/reject.hpp"

namespace shiftcut {

namespace {

// Exit codes of the script.
constexpr int kBadData = 3;
constexpr int kUnfitPython = 4;
constexpr int kBadColumn = 5;

constexpr const char* kAdvice =
    "allowed: a python3 with pyarrow (pip install pyarrow) in the PATH or named by "
    "SHIFTCUT_PYTHON, or the data as CSV";

constexpr std::size_t kLongestError = 500;

std::string python() {
  const char* named = std::getenv("SHIFTCUT_PYTHON");
  return named != nullptr && *named != '\0' ? named : "python3";
}

void reject_other_options(const std::string& path, const ReadOptions& options) {
  const std::string option = !options.header             ? "header=false"
                             : options.delimiter != '\0' ? "delimiter"
                                                         : "";
  if (!option.empty()) {
    reject(ByteSource::name_of(path),
           message("not_applicable", option.substr(0, option.find('=')),
                   "found {" + option +
                       "} for a file whose columns have names and types; allowed: "
                       "only with CSV and TSV"));
  }
}

[[noreturn]] void fail(const std::string& name, std::string_view what) {
  throw ResourceError(message(
      "unreadable_file", "", "{}: Parquet, Arrow and Feather files are read through Python: {}; {}",
      name, what, kAdvice));
}

std::string shown(std::string_view text) { return harmless(text.substr(0, kLongestError)); }

// The last line that is not blank: of a traceback, the error.
std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
    text.remove_suffix(1);
  }
  return shown(text.substr(text.find_last_of('\n') + 1));
}

void check_end(const std::string& name, const ChildProcess::End& end) {
  const std::string_view errors = end.errors;
  if (end.exit_code == 0) {
    return;
  }
  if (end.exit_code == kBadData) {
    reject(name, message("bad_input", "", "{}", shown(errors)));
  }
  if (end.exit_code == kBadColumn) {
    const std::size_t zero = std::min(errors.find('\0'), errors.size());
    const std::string column = quoted(errors.substr(0, zero));
    reject(name, message("bad_input", "drop",
                         "column {}: found {}; allowed: numbers or text; {drop} {} ignores the "
                         "column",
                         column, shown(errors.substr(std::min(zero + 1, errors.size()))), column));
  }
  if (end.exit_code == kUnfitPython) {
    fail(name, shown(errors));
  }
  const std::string how = end.exit_code < 0 ? fmt::format("signal {}", -end.exit_code)
                                            : fmt::format("exit code {}", end.exit_code);
  const std::string said = last_line(errors);
  fail(name, fmt::format("{} ended with {}{}", quoted(python()), how,
                         said.empty() ? "" : " (" + said + ")"));
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 1 < text.size();
    out += is_escape ? (text[i + 1] == 'n' ? '\n' : text[i + 1]) : text[i];
    i += is_escape ? 1 : 0;
  }
  return out;
}

// Byte by byte: what follows belongs to another reader.
std::string next_line(ByteSource& source) {
  std::string line;
  for (char c = 0; source.read_fully(&c, 1) == 1 && c != '\n';) {
    line += c;
  }
  return line;
}

}  // namespace

ByteSource arrow_source(const std::string& path, const ReadOptions& options,
                        const Control& control) {
  reject_other_options(path, options);
  std::vector<std::string> words{python(), "-X", "utf8", "-c", kArrowScript};
  for (const std::string& name : options.drop) {
    words.push_back("drop=" + name);
  }
  for (const std::string& name : {options.label_column, options.group_column}) {
    if (!name.empty()) {
      words.push_back("text=" + name);
    }
  }
  try {
    return ByteSource::converted(path, words, check_end, control);
  } catch (const std::system_error& error) {
    fail(ByteSource::name_of(path),
         fmt::format("can't start {}: {}", quoted(python()), error.code().message()));
  }
}

ArrowTable begin_arrow_table(ByteSource& source, ReadOptions options) {
  const bool features =
      options.shape == ShapeChoice::automatic || options.shape == ShapeChoice::features;
  ArrowTable table;
  std::string version;
  std::string interpreter;
  for (std::string line = next_line(source); !line.empty(); line = next_line(source)) {
    const std::size_t blank = std::min(line.find(' '), line.size() - 1);
    const std::string word = line.substr(0, blank);
    const std::string value = unescaped(std::string_view(line).substr(blank + 1));
    if (word == "version") {
      version = value;
    } else if (word == "python") {
      interpreter = value;
    } else if (word == "index") {
      table.notes.push_back(message("index_column", "",
                                    "column {} is the index of a pandas DataFrame and was left out",
                                    quoted(value)));
    } else if (word == "text" && features && value != options.weight_column &&
               std::ranges::find(options.categorical, value) == options.categorical.end()) {
      options.categorical.push_back(value);
    }
  }
  table.notes.insert(table.notes.begin(),
                     message("read_through_python", "", "read through Python: {} with pyarrow {}",
                             quoted(interpreter, 200), harmless(version)));
  options.delimiter = ',';
  options.format = Format::csv;
  table.options = std::move(options);
  return table;
}

}  // namespace shiftcut

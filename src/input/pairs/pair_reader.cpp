// Pairs: see pair_reader.hpp.
#include "input/pairs/pair_reader.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/fields.hpp"
#include "input/bytes/line_reader.hpp"
#include "input/bytes/number.hpp"
#include "input/bytes/reject.hpp"
#include "input/bytes/skipped_lines.hpp"
#include "input/pairs/object_names.hpp"

namespace shiftcut {

namespace {

using Cells = std::vector<std::string>;

constexpr char kBlanks = ' ';

std::size_t skip_spaces(std::string_view line, std::size_t at, char delimiter) {
  while (at < line.size() && is_space(line[at]) && line[at] != delimiter) {
    ++at;
  }
  return at;
}

// Reads a quoted cell whose first letter is at `at`; says where the closing quote stands, or
// nothing where there is none.
std::optional<std::size_t> read_quoted(std::string_view line, std::size_t at, std::string& cell) {
  for (; at < line.size(); ++at) {
    if (line[at] != '"') {
      cell += line[at];
    } else if (at + 1 < line.size() && line[at + 1] == '"') {
      cell += line[at++];
    } else {
      return at;
    }
  }
  return std::nullopt;
}

// The cells between delimiters; nothing where quotes do not fit them. Blanks count as one.
std::optional<Cells> split_at(std::string_view line, char delimiter) {
  const auto ends_cell = [&](char c) {
    return delimiter == kBlanks ? is_space(c) : c == delimiter;
  };
  Cells cells;
  std::size_t at = 0;
  for (;;) {
    at = skip_spaces(line, at, delimiter == kBlanks ? '\0' : delimiter);
    if (delimiter == kBlanks && at == line.size()) {
      return cells;
    }
    std::string& cell = cells.emplace_back();
    if (at < line.size() && line[at] == '"') {
      const auto closing = read_quoted(line, at + 1, cell);
      if (!closing) {
        return std::nullopt;
      }
      at = *closing + 1;
    } else {
      const std::size_t begin = at;
      while (at < line.size() && !ends_cell(line[at])) {
        ++at;
      }
      std::size_t end = at;
      while (end > begin && is_space(line[end - 1])) {
        --end;
      }
      cell = line.substr(begin, end - begin);
    }
    if (delimiter != kBlanks) {
      at = skip_spaces(line, at, delimiter);
    }
    if (at == line.size()) {
      return cells;
    }
    if (!ends_cell(line[at])) {
      return std::nullopt;  // text after a closing quote
    }
    ++at;
  }
}

// By commas where there are any outside quotes, else by tabs, else by blanks.
Cells split(std::string_view line, const LineReader& lines) {
  for (const char delimiter : {',', '\t'}) {
    if (auto cells = split_at(line, delimiter); cells && cells->size() > 1) {
      return std::move(*cells);
    }
  }
  auto cells = split_at(line, kBlanks);
  if (!cells) {
    reject_line(lines.file(), lines.number(),
                fmt::format("found {}, where quotes do not enclose whole cells; allowed: \"...\", "
                            "with a quote inside written \"\"",
                            quoted(line)));
  }
  return std::move(*cells);
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(skip_spaces(text, 0, '\0'));
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

// A first line of these words, unless it is a pair of two objects that are called so. Whether it is
// depends on the ids only where it has two cells: `weight` is no weight.
bool is_header(const Cells& cells, const ObjectNames& names) {
  return cells.size() >= 2 && cells[0] == "a" && cells[1] == "b" &&
         (cells.size() == 2 ? !names.is_known("a") || !names.is_known("b") : cells[2] == "weight");
}

// Whether the first cell of the line, by any way to split it, is an object's id.
bool begins_with_id(std::string_view line, const ObjectNames& names) {
  return std::ranges::any_of(std::array{',', '\t', kBlanks}, [&](char delimiter) {
    const auto cells = split_at(line, delimiter);
    return cells && cells->size() > 1 && names.is_known(cells->front());
  });
}

double weight_of(std::string_view text, const std::string& file, std::uint64_t line) {
  double weight = 0;
  const NumberKind kind = parse_number(text, weight);
  if (kind != NumberKind::finite || !(weight > 0)) {
    reject_line(
        file, line,
        fmt::format("found the weight {}; allowed: a number above 0, or none", quoted(text)));
  }
  return weight;
}

struct Seen {
  const std::string* file;
  std::uint64_t line;
  double weight;
  bool together;
};

// Collects pairs from several files; each pair counts once, and all that name it must agree.
class PairCollector {
 public:
  explicit PairCollector(const Input& input) : names_(input) {}

  void add(const std::string& file, const PairFile::Line& line, bool together) {
    const std::uint32_t a = names_.find(line.a, file, line.number);
    const std::uint32_t b = names_.find(line.b, file, line.number);
    if (a == b) {
      reject_line(
          file, line.number,
          fmt::format("found {} with itself; allowed: two different objects", quoted(line.a)));
    }
    const auto [known, is_new] =
        seen_.emplace(std::minmax(a, b), Seen{&file, line.number, line.weight, together});
    const Seen& before = known->second;
    if (is_new) {
      (together ? links_.must_link : links_.cannot_link).push_back({a, b, line.weight});
    } else if (before.together != together || before.weight != line.weight) {
      reject_line(
          file, line.number,
          fmt::format(
              "found {} and {} again, which line {} of {} lists {}; allowed: each pair once",
              quoted(line.a), quoted(line.b), before.line, *before.file,
              before.together != together ? "as the opposite" : "with another weight"));
    }
  }

  LinkOptions take() { return std::move(links_); }

 private:
  ObjectNames names_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Seen> seen_;
  LinkOptions links_;
};

}  // namespace

PairFile read_pair_source(ByteSource& source, const Input& input) {
  PairFile file;
  file.name = source.name();
  const ObjectNames names(input);
  LineReader lines(source);
  SkippedLines comments;
  bool is_first = true;
  std::size_t cells_before = 0;
  std::size_t last_cells = 0;
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty()) {
      continue;
    }
    const bool may_be_comment = line.front() == '#';
    if (may_be_comment && !begins_with_id(line, names)) {
      comments.add(lines.number(), line);
      continue;
    }
    const Cells cells = split(line, lines);
    if (cells.size() < 2 || cells.size() > 3 || cells[0].empty() || cells[1].empty()) {
      reject_line(
          file.name, lines.number(),
          fmt::format("found {} cells; allowed: two ids, and perhaps a weight", cells.size()));
    }
    if (std::exchange(is_first, false) && is_header(cells, names)) {
      if (cells.size() == 2) {
        file.notes.push_back(
            message("header_line", "",
                    "{}: line {} ({}) was treated as a header, as they are not both objects",
                    file.name, lines.number(), quoted(line)));
      }
      continue;
    }
    const bool weighted = cells.size() == 3 && !cells[2].empty();
    file.lines.push_back(
        {cells[0], cells[1],
         weighted ? weight_of(cells[2], file.name, lines.number()) : ObjectPair::kCertain,
         lines.number()});
    cells_before = std::exchange(last_cells, cells.size());
  }
  comments.note(file.name, ": no object is named there", file.notes);
  add_note_on_end(lines, last_cells < cells_before, file.notes);
  return file;
}

PairFile read_pairs(const std::string& path, const Input& input) {
  ByteSource source = ByteSource::open(path);
  return read_pair_source(source, input);
}

LinkOptions links_from(const PairFile& must_link, const PairFile& cannot_link, const Input& input,
                       const AnswerFile& answers) {
  PairCollector pairs(input);
  for (const PairFile::Line& line : must_link.lines) {
    pairs.add(must_link.name, line, true);
  }
  for (const PairFile::Line& line : cannot_link.lines) {
    pairs.add(cannot_link.name, line, false);
  }
  for (const AnswerFile::Line& line : answers.lines) {
    if (line.says != Answer::Says::unsure) {
      pairs.add(answers.name, {line.a, line.b, ObjectPair::kCertain, line.number},
                line.says == Answer::Says::same);
    }
  }
  return pairs.take();
}

}  // namespace shiftcut

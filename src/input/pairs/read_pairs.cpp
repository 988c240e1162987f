// Files of pairs and of answers. Pairs are written by hand in many ways, so the delimiter is
// detected line by line; answers are CSV as Shiftcut writes it.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/line_reader.hpp"
#include "input/bytes/parse.hpp"
#include "input/bytes/reject.hpp"
#include "input/pairs/object_names.hpp"
#include "input/readers.hpp"
#include "input/table/record_reader.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

using Cells = std::vector<std::string>;

constexpr char kBlanks = ' ';

// The position after the blanks at `at`; a tab that is the delimiter is not a blank.
std::size_t skip_blanks(std::string_view line, std::size_t at, char delimiter) {
  while (at < line.size() && is_space(line[at]) && line[at] != delimiter) {
    ++at;
  }
  return at;
}

// Reads a quoted cell whose first letter is at `at`; returns the position of the closing quote, or
// nothing if there is none.
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

// The cells between delimiters, where adjacent blanks count as one; nothing if quotes do not
// enclose whole cells.
std::optional<Cells> split_at(std::string_view line, char delimiter) {
  const auto ends_cell = [&](char c) {
    return delimiter == kBlanks ? is_space(c) : c == delimiter;
  };
  Cells cells;
  std::size_t at = 0;
  for (;;) {
    at = skip_blanks(line, at, delimiter == kBlanks ? '\0' : delimiter);
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
      at = skip_blanks(line, at, delimiter);
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

// Splits at commas if there are any outside quotes, else at tabs, else at blanks.
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

// A first line `a b` is a header unless two objects have these ids. A third cell `weight` settles
// it, since it is not a number.
bool is_pair_header(const Cells& cells, const ObjectNames& names) {
  return cells.size() >= 2 && cells[0] == "a" && cells[1] == "b" &&
         (cells.size() == 2 ? !names.is_known("a") || !names.is_known("b") : cells[2] == "weight");
}

// Whether the first cell of the line, however it is split, is an object's id.
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

Answer::Says says_of(std::string_view word, const RecordReader& records) {
  const auto says = from_word<Answer::Says>(word);
  if (!says) {
    reject_line(
        records.file(), records.line(),
        fmt::format("found the answer {}; allowed: {}", quoted(word), list_words<Answer::Says>()));
  }
  return *says;
}

// `answer` is not an answer, so such a line is a header whatever the ids are.
bool is_answer_header(std::span<const std::string_view> cells) {
  return cells[0] == "a" && cells[1] == "b" && cells[2] == "answer";
}

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
    if (std::exchange(is_first, false) && is_pair_header(cells, names)) {
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
  comments.add_note(file.notes, ": no object is named there", file.name);
  lines.add_note_on_end(file.notes, last_cells < cells_before, file.name);
  return file;
}

PairFile read_pairs(const std::string& path, const Input& input) {
  ByteSource source = ByteSource::open(path);
  return read_pair_source(source, input);
}

AnswerFile read_answer_source(ByteSource& source) {
  AnswerFile file;
  file.name = source.name();
  RecordReader records(source, ',');
  bool is_first = true;
  while (records.next()) {
    const auto cells = records.cells();
    if (cells.size() != 3 || cells[0].empty() || cells[1].empty()) {
      reject_line(file.name, records.line(),
                  fmt::format("found {} {}{}; allowed: two ids and an answer, as in "
                              "12,17,same",
                              cells.size(), cells.size() == 1 ? "cell" : "cells",
                              cells.size() == 3 ? " with an empty id" : ""));
    }
    if (std::exchange(is_first, false) && is_answer_header(cells)) {
      continue;
    }
    file.lines.push_back(
        {std::string(cells[0]), std::string(cells[1]), says_of(cells[2], records), records.line()});
  }
  records.lines().add_note_on_end(file.notes, false, file.name);
  return file;
}

AnswerFile read_answers(const std::string& path) {
  ByteSource source = ByteSource::open(path);
  return read_answer_source(source);
}

}  // namespace shiftcut

// Answers: see answer_reader.hpp.
#include "input/pairs/answer_reader.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"
#include "input/bytes/reject.hpp"
#include "input/bytes/skipped_lines.hpp"
#include "input/pairs/object_names.hpp"
#include "input/table/record_reader.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

Answer::Says says_of(std::string_view word, const RecordReader& records) {
  const auto says = from_word<Answer::Says>(word);
  if (!says) {
    reject_line(
        records.file(), records.line(),
        fmt::format("found the answer {}; allowed: {}", quoted(word), list_words<Answer::Says>()));
  }
  return *says;
}

// `answer` is none of the answers, so such a line can't be one, whatever the ids.
bool is_header(std::span<const std::string_view> cells) {
  return cells[0] == "a" && cells[1] == "b" && cells[2] == "answer";
}

}  // namespace

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
    if (std::exchange(is_first, false) && is_header(cells)) {
      continue;
    }
    file.lines.push_back(
        {std::string(cells[0]), std::string(cells[1]), says_of(cells[2], records), records.line()});
  }
  add_note_on_end(records.lines(), false, file.notes);
  return file;
}

AnswerFile read_answers(const std::string& path) {
  ByteSource source = ByteSource::open(path);
  return read_answer_source(source);
}

std::vector<Answer> answers_from(const AnswerFile& file, const Input& input) {
  const ObjectNames names(input);
  std::map<std::pair<std::uint32_t, std::uint32_t>, const AnswerFile::Line*> seen;
  std::vector<Answer> answers;
  for (const AnswerFile::Line& line : file.lines) {
    const std::uint32_t a = names.find(line.a, file.name, line.number);
    const std::uint32_t b = names.find(line.b, file.name, line.number);
    if (a == b) {
      reject_line(
          file.name, line.number,
          fmt::format("found {} with itself; allowed: two different objects", quoted(line.a)));
    }
    const auto [known, is_new] = seen.emplace(std::minmax(a, b), &line);
    if (is_new) {
      answers.push_back({a, b, line.says});
    } else if (known->second->says != line.says) {
      reject_line(file.name, line.number,
                  fmt::format("found {} and {} again, which line {} answers differently; allowed: "
                              "one answer per pair",
                              quoted(line.a), quoted(line.b), known->second->number));
    }
  }
  return answers;
}

}  // namespace shiftcut

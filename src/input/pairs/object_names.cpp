// From ids to objects: ObjectNames, and with it the pairs and answers of whole files.
#include "input/pairs/object_names.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/text.hpp"
#include "input/bytes/parse.hpp"
#include "input/bytes/reject.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

namespace {

// The two objects of a line of a PairFile or AnswerFile, which must differ.
template <class Line>
std::pair<std::uint32_t, std::uint32_t> objects_of(const Line& line, const std::string& file,
                                                   const ObjectNames& names) {
  const std::uint32_t a = names.find(line.a, file, line.number);
  const std::uint32_t b = names.find(line.b, file, line.number);
  if (a == b) {
    reject_line(
        file, line.number,
        fmt::format("found {} with itself; allowed: two different objects", quoted(line.a)));
  }
  return {a, b};
}

struct Seen {
  const std::string* file;
  std::uint64_t line;
  double weight;
  bool together;
};

// Collects pairs from several files. Each pair counts once, and all lines that name it must agree.
class PairCollector {
 public:
  explicit PairCollector(const Input& input) : names_(input) {}

  void add(const std::string& file, const PairFile::Line& line, bool together) {
    const auto [a, b] = objects_of(line, file, names_);
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

ObjectNames::ObjectNames(const Input& input) : count_(input.objects()) {
  for (std::uint32_t i = 0; i < input.ids.size(); ++i) {
    numbers_.emplace(input.ids[i], i);
  }
}

std::optional<std::uint32_t> ObjectNames::number_of(const std::string& id) const {
  if (!numbers_.empty()) {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  double value = -1;
  const bool whole = parse_number(id, value) == NumberKind::finite && value >= 0 &&
                     value < static_cast<double>(count_) &&
                     value == static_cast<double>(static_cast<std::uint32_t>(value));
  return whole ? std::optional(static_cast<std::uint32_t>(value)) : std::nullopt;
}

std::uint32_t ObjectNames::find(const std::string& id, const std::string& file,
                                std::uint64_t line) const {
  const std::optional<std::uint32_t> number = number_of(id);
  if (!number) {
    reject_line(
        file, line,
        numbers_.empty()
            ? fmt::format("found {}; allowed: a row number from 0 to {}", quoted(id), count_ - 1)
            : fmt::format("found {}; allowed: an id of the {} objects", quoted(id), count_));
  }
  return *number;
}

std::vector<Answer> answers_from(const AnswerFile& file, const Input& input) {
  const ObjectNames names(input);
  std::map<std::pair<std::uint32_t, std::uint32_t>, const AnswerFile::Line*> certain;
  std::vector<Answer> answers;
  for (const AnswerFile::Line& line : file.lines) {
    const auto [a, b] = objects_of(line, file.name, names);
    answers.push_back({a, b, line.says});
    if (line.says == Answer::Says::unsure) {
      continue;
    }
    const auto [known, is_new] = certain.emplace(std::minmax(a, b), &line);
    if (!is_new && known->second->says != line.says) {
      reject_line(file.name, line.number,
                  fmt::format("found {} and {} again, which line {} answers differently; allowed: "
                              "one answer per pair",
                              quoted(line.a), quoted(line.b), known->second->number));
    }
  }
  return answers;
}

LinkOptions links_from(const PairFile& must_link, const PairFile& cannot_link, const Input& input,
                       const AnswerFile& answers) {
  if (must_link.lines.empty() && cannot_link.lines.empty() && answers.lines.empty()) {
    return {};  // without looking up the names of all objects
  }
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

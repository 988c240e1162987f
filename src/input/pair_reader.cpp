// Pairs: see pair_reader.hpp.
#include "input/pair_reader.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "input/fields.hpp"
#include "input/line_reader.hpp"
#include "input/number.hpp"
#include "input/object_names.hpp"
#include "input/reject.hpp"

namespace shiftcut {

namespace {

using Cells = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// By commas where there are any, else by tabs, else by blanks.
Cells split(std::string_view line) {
  Cells cells;
  for (const char delimiter : {',', '\t'}) {
    if (line.find(delimiter) != std::string_view::npos) {
      for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(delimiter, begin), line.size());
        cells.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 1;
      }
      return cells;
    }
  }
  std::array<std::string_view, 4> words;
  const std::size_t count = split_fields(line, words);
  cells.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(
                                                  std::min<std::size_t>(count, words.size())));
  for (std::string_view& cell : cells) {
    cell = trimmed(cell);
  }
  return cells;
}

bool is_header(const Cells& cells) {
  return cells[0] == "a" && cells[1] == "b" && (cells.size() == 2 || cells[2] == "weight");
}

double weight_of(std::string_view text, const std::string& file, std::uint64_t line) {
  double weight = 0;
  const NumberKind kind = parse_number(text, weight);
  if (kind != NumberKind::finite || !(weight > 0)) {
    reject_line(file, line,
                fmt::format("found the weight '{}'; allowed: a number above 0, or none", text));
  }
  return weight;
}

struct Seen {
  const PairFile* file;
  std::uint64_t line;
  double weight;
};
using SeenPairs = std::map<std::pair<std::uint32_t, std::uint32_t>, Seen>;

void add_pairs(const PairFile& file, const ObjectNames& objects, SeenPairs& seen,
               std::vector<ObjectPair>& out) {
  for (const PairFile::Line& line : file.lines) {
    const std::uint32_t a = objects.find(line.a, file.name, line.number);
    const std::uint32_t b = objects.find(line.b, file.name, line.number);
    if (a == b) {
      reject_line(file.name, line.number,
                  fmt::format("found '{}' with itself; allowed: two different objects", line.a));
    }
    const auto [known, is_new] =
        seen.emplace(std::minmax(a, b), Seen{&file, line.number, line.weight});
    if (is_new) {
      out.push_back({a, b, line.weight});
    } else if (known->second.file != &file || known->second.weight != line.weight) {
      reject_line(
          file.name, line.number,
          fmt::format("found '{}' and '{}' again, which line {} of {} has {}; allowed: each "
                      "pair once",
                      line.a, line.b, known->second.line, known->second.file->name,
                      known->second.file != &file ? "as the opposite" : "with another weight"));
    }
  }
}

}  // namespace

PairFile read_pair_source(ByteSource& source) {
  PairFile file;
  file.name = source.name();
  LineReader lines(source);
  bool is_first = true;
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty() || line.front() == '#') {
      continue;
    }
    const Cells cells = split(line);
    if (cells.size() < 2 || cells.size() > 3 || cells[0].empty() || cells[1].empty()) {
      reject_line(
          file.name, lines.number(),
          fmt::format("found {} cells; allowed: two ids, and perhaps a weight", cells.size()));
    }
    if (std::exchange(is_first, false) && is_header(cells)) {
      continue;
    }
    const bool weighted = cells.size() == 3 && !cells[2].empty();
    file.lines.push_back(
        {std::string(cells[0]), std::string(cells[1]),
         weighted ? weight_of(cells[2], file.name, lines.number()) : ObjectPair::kCertain,
         lines.number()});
  }
  return file;
}

PairFile read_pairs(const std::string& path) {
  ByteSource source = ByteSource::open(path);
  return read_pair_source(source);
}

LinkOptions links_from(const PairFile& must_link, const PairFile& cannot_link, const Input& input) {
  const ObjectNames objects(input);
  SeenPairs seen;
  LinkOptions links;
  add_pairs(must_link, objects, seen, links.must_link);
  add_pairs(cannot_link, objects, seen, links.cannot_link);
  return links;
}

}  // namespace shiftcut

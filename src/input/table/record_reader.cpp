// A line without quotes is split where it stands. A line with quotes may continue on the next ones;
// its quotes are removed in place, so no cell is ever copied.
#include "input/table/record_reader.hpp"

#include <cstring>

#include <fmt/core.h>

#include "core/text.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"

namespace shiftcut {

bool RecordReader::is_blank(char c) const { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }

std::size_t RecordReader::skip_blanks(std::size_t at) {
  const std::string_view line = lines_.line();
  while (at < line.size() && is_blank(line[at])) {
    ++at;
  }
  return at;
}

std::string_view RecordReader::trimmed(const char* begin, const char* end) const {
  while (begin != end && is_blank(*begin)) {
    ++begin;
  }
  while (begin != end && is_blank(end[-1])) {
    --end;
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

bool RecordReader::next() {
  after_blank_ = false;
  while (lines_.next()) {
    if (std::memchr(lines_.begin(), '"', lines_.size()) == nullptr) {
      split_plain();
      if (cells_.size() == 1 && cells_.front().empty()) {
        after_blank_ = true;
        continue;
      }
    } else {
      split_quoted();
    }
    return true;
  }
  return false;
}

void RecordReader::split_plain() {
  cells_.clear();
  const char* at = lines_.begin();
  const char* const end = at + lines_.size();
  for (;;) {
    const char* stop = at;
    while (stop != end && *stop != delimiter_) {
      ++stop;
    }
    cells_.push_back(trimmed(at, stop));
    if (stop == end) {
      return;
    }
    at = stop + 1;
  }
}

// The line may grow, and move, while a quoted cell is read: cells are kept as positions in it.
void RecordReader::split_quoted() {
  places_.clear();
  std::size_t at = 0;
  for (;;) {
    at = skip_blanks(at);
    if (at < lines_.size() && lines_.begin()[at] == '"') {
      at = read_quoted_cell(at);
    } else {
      const std::size_t rest = lines_.line().find(delimiter_, at);
      const std::size_t stop = rest == std::string_view::npos ? lines_.size() : rest;
      places_.emplace_back(at, stop);
      at = stop;
    }
    if (at == lines_.size()) {
      break;
    }
    ++at;
  }
  cells_.clear();
  for (const auto& [begin, end] : places_) {
    cells_.push_back(trimmed(lines_.begin() + begin, lines_.begin() + end));
  }
}

// Removes the quotes in place; returns the position of the delimiter or the end of the line.
std::size_t RecordReader::read_quoted_cell(std::size_t at) {
  const std::size_t begin = at + 1;
  std::size_t out = begin;
  at = begin;
  for (;;) {
    char* const text = lines_.begin();
    const std::size_t size = lines_.size();
    const void* quote = std::memchr(text + at, '"', size - at);
    const std::size_t stop =
        quote != nullptr ? static_cast<std::size_t>(static_cast<const char*>(quote) - text) : size;
    std::memmove(text + out, text + at, stop - at);
    out += stop - at;
    at = stop;
    if (quote == nullptr) {
      if (size > kLongestQuotedRecord || !lines_.extend()) {
        reject_line(file(), line(),
                    fmt::format("cell {}: found a quote that is never closed; allowed: \"...\", "
                                "with a quote inside written \"\"",
                                places_.size() + 1));
      }
      continue;
    }
    ++at;
    if (at < size && text[at] == '"') {
      text[out++] = '"';
      ++at;
      continue;
    }
    break;
  }
  places_.emplace_back(begin, out);
  at = skip_blanks(at);
  if (at < lines_.size() && lines_.begin()[at] != delimiter_) {
    reject_line(file(), line(),
                fmt::format("cell {}: found {} after the closing quote; allowed: {}, or the end of "
                            "the line",
                            places_.size(), quoted(lines_.line().substr(at, 1)),
                            quoted(std::string_view(&delimiter_, 1))));
  }
  return at;
}

}  // namespace shiftcut

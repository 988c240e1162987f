// The buffer holds the current line and what was read after it. A line longer than the buffer makes
// it grow; otherwise the rest is moved to the front when the buffer is full, once for each chunk.
#include "input/bytes/line_reader.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/parse.hpp"
#include "input/bytes/reject.hpp"

namespace shiftcut {

LineReader::LineReader(ByteSource& source)
    : source_(source), buffer_(std::max<std::size_t>(source.chunk(), 4)) {
  skip_byte_order_mark();
  detect_line_end();
}

void LineReader::skip_byte_order_mark() {
  while (filled_ < 3 && fill()) {
  }
  if (filled_ >= 3 && std::memcmp(buffer_.data(), "\xEF\xBB\xBF", 3) == 0) {
    next_ = begin_ = 3;
  }
}

void LineReader::detect_line_end() {
  std::size_t looked_at = next_;
  do {
    if (std::memchr(buffer_.data() + looked_at, '\n', filled_ - looked_at) != nullptr) {
      return;
    }
    looked_at = filled_ - next_;
    if (looked_at >= kLineEndSample) {
      break;
    }
    const bool more = fill();  // may move what is in the buffer
    looked_at += next_;
    if (!more) {
      break;
    }
  } while (true);
  if (std::memchr(buffer_.data() + next_, '\r', filled_ - next_) != nullptr) {
    line_end_ = '\r';
  }
}

bool LineReader::next() {
  begin_ = next_;
  number_ = lines_ + 1;
  return find_end(begin_);
}

bool LineReader::extend() { return find_end(next_); }

std::string_view LineReader::ahead(std::size_t most) {
  while (filled_ - next_ < most && fill()) {
  }
  return {buffer_.data() + next_, std::min(filled_ - next_, most)};
}

// Sets size_ and next_ for the line at begin_; its part before `from` has been searched already.
bool LineReader::find_end(std::size_t from) {
  const std::size_t part = from - begin_;
  std::size_t scanned = part;
  const char* line_end = nullptr;
  for (;;) {
    const char* const from_here = buffer_.data() + begin_ + scanned;
    const std::size_t count = filled_ - begin_ - scanned;
    line_end = static_cast<const char*>(std::memchr(from_here, line_end_, count));
    const std::size_t of_line =
        line_end != nullptr ? static_cast<std::size_t>(line_end - from_here) : count;
    if (std::memchr(from_here, 0, of_line) != nullptr) {
      reject_line(file(), lines_ + 1, "found a NUL byte; allowed: text (UTF-8)");
    }
    if (line_end != nullptr) {
      break;
    }
    scanned = filled_ - begin_;
    if (!fill()) {
      break;
    }
  }
  const std::size_t end =
      line_end != nullptr ? static_cast<std::size_t>(line_end - buffer_.data()) : filled_;
  if (line_end == nullptr && end == begin_ + part) {
    return false;
  }
  ++lines_;
  next_ = line_end != nullptr ? end + 1 : end;
  size_ = end - begin_;
  if (line_end == nullptr) {
    remember_last_line(begin_ + part);
  } else if (line_end_ == '\n' && size_ > part && buffer_[end - 1] == '\r') {
    --size_;
  }
  return true;
}

void LineReader::remember_last_line(std::size_t from) {
  std::string_view text(buffer_.data() + from, begin_ + size_ - from);
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  unended_size_ = text.size();
  unended_ = text.substr(text.size() - std::min(text.size(), kLastLineShown));
}

void LineReader::add_note_on_end(std::vector<Message>& notes, bool has_fewer_fields,
                                 std::string_view file) const {
  if (unended_size_ == 0 || (bytes_ < kFileBlock && !has_fewer_fields)) {
    return;
  }
  Message note = message("unfinished_last_line", "",
                         "the file does not end with a newline: line {}, its last, which ends in "
                         "{}{}, may be truncated",
                         lines_, quoted(unended_, kLastLineShown),
                         has_fewer_fields ? " and has fewer fields than the line before" : "");
  notes.push_back(file.empty() ? std::move(note) : after(file, std::move(note)));
}

// Appends bytes to those not consumed yet; false at the end of the source.
bool LineReader::fill() {
  if (filled_ == buffer_.size() && begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, filled_ - begin_);
    filled_ -= begin_;
    next_ -= begin_;
    begin_ = 0;
  }
  if (filled_ == buffer_.size()) {
    if (buffer_.size() >= kLongestLine) {
      reject_line(file(), lines_ + 1,
                  fmt::format("found a line of over {} MiB; allowed: shorter lines of text",
                              kLongestLine >> 20));
    }
    buffer_.resize(buffer_.size() * 2);
  }
  const std::size_t got = source_.read(buffer_.data() + filled_, buffer_.size() - filled_);
  filled_ += got;
  bytes_ += got;
  return got > 0;
}

void SkippedLines::add(std::uint64_t number, std::string_view line) {
  if (count_++ == 0) {
    first_number_ = number;
    first_line_ = quoted(line);
  }
}

void SkippedLines::add_note(std::vector<Message>& notes, std::string_view why,
                            std::string_view file) const {
  if (count_ == 0) {
    return;
  }
  Message note = count_ == 1
                     ? message("comment_lines", "", "line {} ({}) was skipped as a comment{}",
                               first_number_, first_line_, why)
                     : message("comment_lines", "",
                               "{} lines were skipped as comments, the first is line {} ({}){}",
                               count_, first_number_, first_line_, why);
  notes.push_back(file.empty() ? std::move(note) : after(file, std::move(note)));
}

}  // namespace shiftcut

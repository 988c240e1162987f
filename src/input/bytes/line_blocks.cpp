#include "input/bytes/line_blocks.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/core.h>

#include "input/bytes/parse.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"

namespace shiftcut {

// Appends what the source has to the first `filled` bytes of the block; returns how many bytes
// there are then, as many as before at the end and where the source fails.
std::size_t LineBlocks::fill(LineBlock& block, std::size_t filled) {
  while (filled + 1 < block.text.size() && !has_ended()) {
    try {
      const std::size_t got =
          reader_.source_.read(block.text.data() + filled, block.text.size() - 1 - filled);
      reader_.bytes_ += got;
      filled += got;
      is_at_end_ = got == 0;
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  return filled;
}

bool LineBlocks::next(LineBlock& block) {
  const std::size_t rest = reader_.filled_ - reader_.next_;  // of the block before
  block.text.resize(std::max(reader_.buffer_.size(), rest) + 1);
  std::copy_n(reader_.buffer_.data() + reader_.next_, rest, block.text.data());
  block.is_too_long = false;
  std::size_t filled = fill(block, rest);
  std::size_t end = end_of_lines(block, filled);
  while (end == 0 && !has_ended()) {  // one line is longer than the block
    if (block.text.size() > kLongestLine) {
      block.is_too_long = is_at_end_ = true;
      break;
    }
    block.text.resize(2 * block.text.size() - 1);
    filled = fill(block, filled);
    end = end_of_lines(block, filled);
  }
  if (is_at_end_) {
    remember_last_line({block.text.data() + end, filled - end});
    end = filled;
  }
  reader_.begin_ = reader_.next_ = 0;
  reader_.filled_ = failure_ != nullptr ? 0 : filled - end;
  reader_.buffer_.resize(std::max(reader_.buffer_.size(), reader_.filled_));
  std::copy_n(block.text.data() + end, reader_.filled_, reader_.buffer_.data());
  block.size = end;
  block.text[end] = '\n';
  return end > 0;
}

// Where the last line that has a line end is over.
std::size_t LineBlocks::end_of_lines(const LineBlock& block, std::size_t filled) const {
  const std::size_t last = std::string_view(block.text.data(), filled).rfind(line_end());
  return last == std::string_view::npos ? 0 : last + 1;
}

void LineBlocks::remember_last_line(std::string_view text) {
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  if (!text.empty()) {
    reader_.unended_size_ = text.size();
    reader_.unended_ = text.substr(text.size() - std::min(text.size(), kLastLineShown));
  }
}

void LineBlocks::rethrow_failure() const {
  if (failure_ != nullptr) {
    std::rethrow_exception(failure_);
  }
}

std::uint64_t LineBlocks::count(const LineBlock& block) {
  const std::uint64_t first = reader_.lines_ + 1;
  if (block.is_too_long) {
    reject_line(reader_.file(), first,
                fmt::format("found a line of over {} MiB; allowed: shorter lines of text",
                            kLongestLine >> 20));
  }
  reader_.lines_ += lines_in(block.lines(), line_end());
  return first;
}

std::size_t lines_in(std::string_view text, char line_end) {
  const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), line_end));
  return ends + (text.empty() || text.back() == line_end ? 0 : 1);
}

}  // namespace shiftcut

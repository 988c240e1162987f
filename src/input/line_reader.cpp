// Lines out of chunks: see line_reader.hpp.
#include "input/line_reader.hpp"

#include <algorithm>
#include <cstring>

#include "input/reject.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 30;

}  // namespace

LineReader::LineReader(ByteSource& source)
    : source_(source), buffer_(std::max<std::size_t>(source.chunk(), 4)) {
  skip_byte_order_mark();
}

void LineReader::skip_byte_order_mark() {
  while (filled_ < 3 && fill()) {
  }
  if (filled_ >= 3 && std::memcmp(buffer_.data(), "\xEF\xBB\xBF", 3) == 0) {
    next_ = 3;
  }
}

bool LineReader::next() {
  begin_ = next_;
  number_ = lines_ + 1;
  return find_end(begin_);
}

bool LineReader::extend() { return find_end(next_); }

// Sets size_ and next_ for a line from begin_ whose last part starts at `from`.
bool LineReader::find_end(std::size_t from) {
  const std::size_t part = from - begin_;
  std::size_t scanned = part;
  const char* newline = nullptr;
  for (;;) {
    newline = static_cast<const char*>(
        std::memchr(buffer_.data() + begin_ + scanned, '\n', filled_ - begin_ - scanned));
    if (newline != nullptr) {
      break;
    }
    scanned = filled_ - begin_;
    if (!fill()) {
      break;
    }
  }
  const std::size_t end =
      newline != nullptr ? static_cast<std::size_t>(newline - buffer_.data()) : filled_;
  if (newline == nullptr && end == begin_ + part) {
    return false;
  }
  ++lines_;
  next_ = newline != nullptr ? end + 1 : end;
  size_ = end - begin_;
  if (std::memchr(buffer_.data() + begin_ + part, 0, size_ - part) != nullptr) {
    reject_line(file(), lines_, "found a NUL byte; allowed: text (UTF-8)");
  }
  if (newline != nullptr && size_ > part && buffer_[end - 1] == '\r') {
    --size_;
  }
  return true;
}

// Adds bytes behind those not used up yet; false at the end of the source.
bool LineReader::fill() {
  if (filled_ == buffer_.size() && begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, filled_ - begin_);
    filled_ -= begin_;
    next_ -= begin_;
    begin_ = 0;
  }
  if (filled_ == buffer_.size()) {
    if (buffer_.size() >= kLongestLine) {
      reject_line(file(), lines_ + 1, "found a line of over 1 GiB; allowed: shorter lines");
    }
    buffer_.resize(buffer_.size() * 2);
  }
  const std::size_t got = source_.read(buffer_.data() + filled_, buffer_.size() - filled_);
  filled_ += got;
  return got > 0;
}

}  // namespace shiftcut

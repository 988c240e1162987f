// One line of text after the other, each in one piece, however the chunks fall.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "input/byte_source.hpp"

namespace shiftcut {

/// Lines end in LF or CRLF, the last one perhaps in nothing. A UTF-8 byte order mark at the start
/// is skipped, a NUL byte is an error (the file is not text).
class LineReader {
 public:
  explicit LineReader(ByteSource& source);

  /// Goes to the next line; false at the end.
  bool next();

  /// Lengthens the current line by its line end and the line after it; false at the end.
  bool extend();

  /// The current line, which may be written to; valid until the next call.
  [[nodiscard]] char* begin() { return buffer_.data() + begin_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string_view line() const { return {buffer_.data() + begin_, size_}; }

  /// Of the current line's start, from 1.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] const std::string& file() const { return source_.name(); }

 private:
  bool find_end(std::size_t from);
  bool fill();
  void skip_byte_order_mark();

  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;   // of the current line
  std::size_t size_ = 0;    // of the current line without its line end
  std::size_t next_ = 0;    // where the next line begins
  std::size_t filled_ = 0;  // bytes in the buffer
  std::uint64_t number_ = 0;
  std::uint64_t lines_ = 0;  // gone by, the current one included
};

}  // namespace shiftcut

// One line of text after the other, each in one piece, however the chunks fall.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/bytes/byte_source.hpp"
#include "shiftcut/message.hpp"

namespace shiftcut {

/// Lines end in LF or CRLF, the last one perhaps in nothing; in CR alone where a file has no LF. A
/// UTF-8 byte order mark at the start is skipped, a NUL byte is an error (the file is not text).
class LineReader {
 public:
  explicit LineReader(ByteSource& source);

  /// Goes to the next line; false at the end.
  bool next();

  /// Lengthens the current line by its line end and the line after it; false at the end.
  bool extend();

  /// The text after the current line, up to `most` bytes; less only where the file ends.
  [[nodiscard]] std::string_view ahead(std::size_t most);

  /// The current line, which may be written to; valid until the next call.
  [[nodiscard]] char* begin() { return buffer_.data() + begin_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string_view line() const { return {buffer_.data() + begin_, size_}; }

  /// Of the current line's start, from 1.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] const std::string& file() const { return source_.name(); }

  /// The character all lines end in, before which there may be a CR.
  [[nodiscard]] char line_end() const { return line_end_; }

  /// Once all is read: a note on a last line without a line end, as a file has that was cut
  /// short. None where it has one or is blank, and for a file of less than a block whose last line
  /// has as many fields as those before: many editors leave the line end out.
  [[nodiscard]] std::optional<Message> note_on_end(bool has_fewer_fields = false) const;

 private:
  bool find_end(std::size_t from);
  bool fill();
  void skip_byte_order_mark();
  void choose_line_end();
  void remember_last_line(std::size_t end);

  ByteSource& source_;
  std::vector<char> buffer_;
  char line_end_ = '\n';
  std::size_t begin_ = 0;   // of the current line
  std::size_t size_ = 0;    // of the current line without its line end
  std::size_t next_ = 0;    // where the next line begins
  std::size_t filled_ = 0;  // bytes in the buffer
  std::uint64_t number_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t lines_ = 0;  // gone by, the current one included
  std::string unended_;      // the end of a last line without a line end
  std::size_t unended_size_ = 0;
};

}  // namespace shiftcut

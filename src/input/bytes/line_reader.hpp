// Splits the bytes of a source into lines of text, and remembers what a note must say about lines
// that were skipped or cut short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input/bytes/byte_source.hpp"
#include "shiftcut/message.hpp"

namespace shiftcut {

/// Lines end in LF or CRLF, or in CR alone where the file has no LF; the last line may have no line
/// end. A UTF-8 byte order mark at the start is skipped; a NUL byte is an error (the file is not
/// text). A line is in one piece in memory, however the chunks fall.
class LineReader {
 public:
  explicit LineReader(ByteSource& source);

  /// Advances to the next line; false at the end.
  bool next();

  /// Extends the current line by its line end and the following line; false at the end.
  bool extend();

  /// The text after the current line, up to `most` bytes; less only where the file ends.
  [[nodiscard]] std::string_view ahead(std::size_t most);

  /// The current line, which may be written to; valid until the next call.
  [[nodiscard]] char* begin() { return buffer_.data() + begin_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string_view line() const { return {buffer_.data() + begin_, size_}; }

  /// The number of the current line (of its first line, after extend()), from 1.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] const std::string& file() const { return source_.name(); }

  /// Whether another program made the text of columns that have names and types.
  [[nodiscard]] bool is_converted() const { return source_.is_converted(); }

  /// The character that ends all lines, possibly after a CR.
  [[nodiscard]] char line_end() const { return line_end_; }

  /// Once everything is read: adds a note if the last line has no line end, as in a file that was
  /// cut short. After the name of `file`, if given. No note if that line is blank, or if the file
  /// is smaller than a block and its last line has as many fields as the others: many editors omit
  /// the last line end.
  void add_note_on_end(std::vector<Message>& notes, bool has_fewer_fields = false,
                       std::string_view file = "") const;

 private:
  friend class LineBlocks;  // which reads on in blocks

  bool find_end(std::size_t from);
  bool fill();
  void skip_byte_order_mark();
  void detect_line_end();
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
  std::uint64_t lines_ = 0;  // read so far, including the current one
  std::string unended_;      // the end of a last line without a line end
  std::size_t unended_size_ = 0;
};

/// Lines that a reader skipped as comments.
class SkippedLines {
 public:
  void add(std::uint64_t number, std::string_view line);

  /// Adds one note on all of them, if there are any: their number, the first of them, and `why`.
  /// After the name of `file`, if given.
  void add_note(std::vector<Message>& notes, std::string_view why,
                std::string_view file = "") const;

 private:
  std::uint64_t count_ = 0;
  std::uint64_t first_number_ = 0;
  std::string first_line_;
};

}  // namespace shiftcut

// Splits CSV or TSV text into records of cells (RFC 4180).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "input/bytes/line_reader.hpp"

namespace shiftcut {

/// Blanks around a cell are removed. A cell that starts with a quote extends to the next single
/// quote, across delimiters and line ends, and a doubled quote in it stands for one. Blank lines
/// are skipped.
class RecordReader {
 public:
  RecordReader(ByteSource& source, char delimiter) : lines_(source), delimiter_(delimiter) {}

  /// Advances to the next record; false at the end.
  bool next();

  /// The cells of the current record, valid until the next call, and the line it starts in.
  [[nodiscard]] std::span<const std::string_view> cells() const { return cells_; }
  [[nodiscard]] std::uint64_t line() const { return lines_.number(); }

  /// Whether a blank line precedes the current record.
  [[nodiscard]] bool after_blank() const { return after_blank_; }
  [[nodiscard]] const std::string& file() const { return lines_.file(); }
  [[nodiscard]] const LineReader& lines() const { return lines_; }

  /// The text after the current record, up to `most` bytes.
  [[nodiscard]] std::string_view ahead(std::size_t most) { return lines_.ahead(most); }
  void set_delimiter(char delimiter) { delimiter_ = delimiter; }

 private:
  void split_plain();
  void split_quoted();
  std::size_t read_quoted_cell(std::size_t at);
  [[nodiscard]] bool is_blank(char c) const;
  [[nodiscard]] std::size_t skip_blanks(std::size_t at);
  [[nodiscard]] std::string_view trimmed(const char* begin, const char* end) const;

  LineReader lines_;
  char delimiter_;
  bool after_blank_ = false;
  std::vector<std::string_view> cells_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // begin and end in the line
};

}  // namespace shiftcut

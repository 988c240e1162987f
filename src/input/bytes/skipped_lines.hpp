// What a reader left out of a file, to be told in a note.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "input/bytes/line_reader.hpp"
#include "shiftcut/message.hpp"

namespace shiftcut {

/// Lines that were not read, such as comments.
class SkippedLines {
 public:
  void add(std::uint64_t number, std::string_view line);

  /// Adds a note, unless there are none: "FILE: line 1 ('# a') was skipped as a comment" and
  /// `why`. An empty `file` is left out.
  void note(const std::string& file, std::string_view why, std::vector<Message>& notes) const;

 private:
  std::uint64_t count_ = 0;
  std::uint64_t first_number_ = 0;
  std::string first_line_;
};

/// Adds LineReader::note_on_end(), with the file's name before it, where there is one.
void add_note_on_end(const LineReader& lines, bool has_fewer_fields, std::vector<Message>& notes);

}  // namespace shiftcut

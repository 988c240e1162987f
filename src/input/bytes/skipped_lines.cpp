// Notes on lines that were not read: see skipped_lines.hpp.
#include "input/bytes/skipped_lines.hpp"

#include <fmt/format.h>

#include "core/message.hpp"
#include "core/text.hpp"

namespace shiftcut {

void SkippedLines::add(std::uint64_t number, std::string_view line) {
  if (count_++ == 0) {
    first_number_ = number;
    first_line_ = quoted(line);
  }
}

void SkippedLines::note(const std::string& file, std::string_view why,
                        std::vector<Message>& notes) const {
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

void add_note_on_end(const LineReader& lines, bool has_fewer_fields, std::vector<Message>& notes) {
  if (auto note = lines.note_on_end(has_fewer_fields)) {
    notes.push_back(after(lines.file(), std::move(*note)));
  }
}

}  // namespace shiftcut

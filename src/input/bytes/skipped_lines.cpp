// Notes on lines that were not read: see skipped_lines.hpp.
#include "input/bytes/skipped_lines.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace shiftcut {

void SkippedLines::add(std::uint64_t number, std::string_view line) {
  if (count_++ == 0) {
    first_number_ = number;
    first_line_ = quoted(line);
  }
}

void SkippedLines::note(const std::string& file, std::string_view why,
                        std::vector<std::string>& notes) const {
  if (count_ == 0) {
    return;
  }
  const std::string first = fmt::format("line {} ({})", first_number_, first_line_);
  notes.push_back(fmt::format(
      "{}{}{}{}", file, file.empty() ? "" : ": ",
      count_ == 1
          ? fmt::format("{} was passed over as a comment", first)
          : fmt::format("{} lines were passed over as comments, the first is {}", count_, first),
      why));
}

void add_note_on_end(const LineReader& lines, bool has_fewer_fields,
                     std::vector<std::string>& notes) {
  const std::string note = lines.note_on_end(has_fewer_fields);
  if (!note.empty()) {
    notes.push_back(fmt::format("{}: {}", lines.file(), note));
  }
}

}  // namespace shiftcut

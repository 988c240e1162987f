// Labels: see label_reader.hpp.
#include "input/pairs/label_reader.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/message.hpp"
#include "input/bytes/reject.hpp"
#include "input/bytes/skipped_lines.hpp"
#include "input/table/record_reader.hpp"
#include "input/table/table_form.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A comma, unless the first line has a column `label` by another delimiter only.
char delimiter_by_header(RecordReader& records) {
  constexpr std::size_t kLongestHeader = 4096;
  std::string_view line = records.ahead(kLongestHeader);
  line = line.substr(0, line.find(records.lines().line_end()));
  const auto has_label = [&](char delimiter) {
    const std::vector<std::string_view> cells = cells_of(line, delimiter);
    return cells.size() > 1 && std::ranges::find(cells, "label") != cells.end();
  };
  for (const char delimiter : {',', ';', '\t', '|'}) {
    if (has_label(delimiter)) {
      return delimiter;
    }
  }
  return ',';
}

std::size_t find_name(const RecordReader& records, std::string_view name) {
  const auto cells = records.cells();
  const auto found = std::find(cells.begin(), cells.end(), name);
  if (found == cells.end()) {
    return kNone;
  }
  if (std::find(found + 1, cells.end(), name) != cells.end()) {
    reject_line(records.file(), records.line(),
                fmt::format("found two columns '{}'; allowed: one", name));
  }
  return static_cast<std::size_t>(found - cells.begin());
}

void add_label(const RecordReader& records, std::size_t column, std::size_t id_column,
               LabelFile& file) {
  const std::string_view label = records.cells()[column];
  if (label.empty()) {
    reject_cell(records.file(), records.line(), column, "label", label, "a label in every row");
  }
  // A blank line among labels is more likely a label that is missing than decoration.
  if (records.after_blank() && !file.labels.empty()) {
    reject_line(records.file(), records.line(),
                "found a blank line before this label; allowed: a label in every line");
  }
  file.labels.emplace_back(label);
  if (id_column != kNone) {
    file.ids.emplace_back(records.cells()[id_column]);
  }
}

}  // namespace

LabelFile read_label_source(ByteSource& source, char delimiter) {
  RecordReader records(source, delimiter == '\0' ? ',' : delimiter);
  if (delimiter == '\0') {
    records.set_delimiter(delimiter_by_header(records));
  }
  if (!records.next()) {
    reject(source.name(), "found an empty file; allowed: one or more labels");
  }
  const std::size_t named = find_name(records, "label");
  const bool header = named != kNone;
  const std::size_t id_column = header ? find_name(records, "id") : kNone;
  const std::size_t width = records.cells().size();
  if (!header && width != 1) {
    reject_line(records.file(), records.line(),
                fmt::format("found {} cells and no column 'label'; allowed: a header with a column "
                            "'label', or one label per line",
                            width));
  }
  LabelFile file;
  const bool may_be_label = header && width == 1;
  if (may_be_label) {
    file.notes.push_back(message("header_line", "", "{}: line {} ('label') was treated as a header",
                                 records.file(), records.line()));
  }
  bool there = header ? records.next() : true;
  for (; there; there = records.next()) {
    if (records.cells().size() != width) {
      reject_line(records.file(), records.line(),
                  fmt::format("found {} cells; allowed: {}, as in the first line",
                              records.cells().size(), width));
    }
    if (may_be_label && records.cells().front() == "label") {
      reject_line(records.file(), records.line(),
                  "found 'label', as in the first line, which may therefore be a label or a "
                  "header; allowed: a header id,label, or no label of that name");
    }
    add_label(records, header ? named : 0, id_column, file);
  }
  if (file.labels.empty()) {
    reject(source.name(), "found a header but no labels; allowed: one or more labels");
  }
  add_note_on_end(records.lines(), false, file.notes);
  return file;
}

}  // namespace shiftcut

// Labels: see label_reader.hpp.
#include "input/label_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "input/record_reader.hpp"
#include "input/reject.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

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
  RecordReader records(source, delimiter);
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
                            "'label', or one label a line",
                            width));
  }
  LabelFile file;
  bool there = header ? records.next() : true;
  for (; there; there = records.next()) {
    if (records.cells().size() != width) {
      reject_line(records.file(), records.line(),
                  fmt::format("found {} cells; allowed: {}, as in the first line",
                              records.cells().size(), width));
    }
    add_label(records, header ? named : 0, id_column, file);
  }
  if (file.labels.empty()) {
    reject(source.name(), "found a header but no labels; allowed: one or more labels");
  }
  return file;
}

}  // namespace shiftcut

// Files with a line for each object: labels, and groups of which a cluster may hold one member.
#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/name_table.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"
#include "input/pairs/object_names.hpp"
#include "input/readers.hpp"
#include "input/table/record_reader.hpp"
#include "input/table/table.hpp"
#include "input/table/table_form.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A comma, unless only another delimiter yields a column `label` in the first line.
char detect_delimiter(RecordReader& records) {
  std::string_view line = records.ahead(kLongestLabelHeader);
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
  // A blank line between labels is more likely a missing label than decoration.
  if (records.after_blank() && !file.labels.empty()) {
    reject_line(records.file(), records.line(),
                "found a blank line before this label; allowed: a label in every line");
  }
  file.labels.emplace_back(label);
  if (id_column != kNone) {
    file.ids.emplace_back(records.cells()[id_column]);
  }
}

// `lines` holds the line of each object, 0 for none.
void check_all_listed(const std::string& file, const std::vector<std::uint64_t>& lines,
                      const Input& input) {
  const auto missing = static_cast<std::size_t>(std::ranges::count(lines, 0U));
  if (missing == 0) {
    return;
  }
  const auto first = static_cast<std::size_t>(std::ranges::find(lines, 0U) - lines.begin());
  reject(file,
         fmt::format("found no line for {}{}; allowed: a line for each of the {} objects, "
                     "with an empty value for one in no group",
                     quoted(input.ids.empty() ? fmt::format("{}", first) : input.ids[first]),
                     missing > 1 ? fmt::format(" and {} others", missing - 1) : "", lines.size()));
}

}  // namespace

LabelFile read_label_source(ByteSource& source, char delimiter) {
  RecordReader records(source, delimiter == '\0' ? ',' : delimiter);
  if (delimiter == '\0') {
    records.set_delimiter(detect_delimiter(records));
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
  records.lines().add_note_on_end(file.notes, false, records.file());
  return file;
}

GroupFile read_groups(const std::string& path, const Input& input) {
  ByteSource source = ByteSource::open(path);
  RecordReader records(source, path.find(".tsv") != std::string::npos ? '\t' : ',');
  const ObjectNames objects(input);
  NameTable values;
  GroupFile file;
  file.groups.assign(input.objects(), -1);
  std::vector<std::uint64_t> lines(input.objects(), 0);
  for (bool is_first = true; records.next(); is_first = false) {
    const auto cells = records.cells();
    if (cells.size() != 2) {
      reject_line(records.file(), records.line(),
                  fmt::format("found {} {}; allowed: two, an id and its value", cells.size(),
                              cells.size() == 1 ? "cell" : "cells"));
    }
    const std::string id(cells[0]);
    if (is_first && id == "id" && !objects.is_known(id)) {
      file.notes.push_back(
          message("header_line", "",
                  "{}: line {} ({}, {}) was treated as a header, as no object has that id",
                  records.file(), records.line(), quoted(id), quoted(cells[1])));
      continue;
    }
    const std::uint32_t object = objects.find(id, records.file(), records.line());
    if (lines[object] != 0) {
      reject_line(records.file(), records.line(),
                  fmt::format("found {} again, after line {}; allowed: each object once",
                              quoted(id), lines[object]));
    }
    lines[object] = records.line();
    if (!is_missing(cells[1])) {
      file.groups[object] = static_cast<std::int32_t>(values.index_of(cells[1]));
    }
  }
  check_all_listed(source.name(), lines, input);
  records.lines().add_note_on_end(file.notes, false, records.file());
  return file;
}

}  // namespace shiftcut

// Groups of objects, an `id,value` line each: see include/shiftcut/read.hpp.
#include <algorithm>

#include <fmt/format.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/byte_source.hpp"
#include "input/bytes/name_table.hpp"
#include "input/bytes/reject.hpp"
#include "input/bytes/skipped_lines.hpp"
#include "input/pairs/object_names.hpp"
#include "input/table/record_reader.hpp"
#include "input/table/table.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

namespace {

// Every object has its line.
void require_all(const std::string& file, const std::vector<std::uint64_t>& lines,
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
  require_all(source.name(), lines, input);
  add_note_on_end(records.lines(), false, file.notes);
  return file;
}

}  // namespace shiftcut

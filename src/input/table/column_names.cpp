// The header of a table: see column_names.hpp.
#include "input/table/column_names.hpp"

#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"
#include "input/bytes/limits.hpp"
#include "input/bytes/reject.hpp"
#include "input/table/table.hpp"

namespace shiftcut {

namespace {

bool holds_only_numbers(std::span<const std::string_view> cells, bool decimal_comma) {
  double value = 0;
  std::size_t numbers = 0;
  for (const std::string_view cell : cells) {
    if (is_missing(cell)) {
      continue;
    }
    if (parse_cell(cell, decimal_comma, value) == NumberKind::text) {
      return false;
    }
    ++numbers;
  }
  return numbers > 0;
}

}  // namespace

std::vector<std::string> column_names(const RecordReader& records, bool header,
                                      bool decimal_comma) {
  const auto cells = records.cells();
  if (header && holds_only_numbers(cells, decimal_comma)) {
    reject_line(records.file(), records.line(),
                "holds only numbers where column names belong; add a header line or pass "
                "--no-header");
  }
  std::vector<std::string> names;
  names.reserve(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    names.push_back(header && !cells[c].empty() ? std::string(cells[c]) : fmt::format("c{}", c));
  }
  return names;
}

std::vector<std::string> notes_on_names(std::span<const std::string_view> header,
                                        const std::vector<std::string>& names) {
  std::vector<std::string> notes;
  std::unordered_map<std::string_view, std::size_t> first;
  std::size_t count = 0;
  const auto note = [&](std::string text) {
    if (++count <= kNotesByColumn) {
      notes.push_back(std::move(text));
    }
  };
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto [seen, is_new] = first.emplace(names[c], c);
    if (header[c].empty()) {
      note(fmt::format(
          "column {} has no name and is called {}{}", c + 1, quoted(names[c]),
          c == 0 ? fmt::format("; if it numbers the rows, --drop {} ignores it", names[c]) : ""));
    }
    if (!is_new) {
      note(fmt::format("columns {} and {} have the same name, {}", seen->second + 1, c + 1,
                       quoted(names[c])));
    }
  }
  if (count > kNotesByColumn) {
    notes.push_back(
        fmt::format("{} more columns have no name or the name of another", count - kNotesByColumn));
  }
  return notes;
}

void require_width(const RecordReader& records, std::size_t width, bool header) {
  if (records.cells().size() != width) {
    reject_line(records.file(), records.line(),
                fmt::format("found {} {}; allowed: {}, as in the {}", records.cells().size(),
                            records.cells().size() == 1 ? "cell" : "cells", width,
                            header ? "header" : "first row"));
  }
}

}  // namespace shiftcut

// The header of a table: see column_names.hpp.
#include "input/table/column_names.hpp"

#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/message.hpp"
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
                message("bad_input", "header",
                        "holds only numbers where column names belong; add a header line or pass "
                        "{header=false}"));
  }
  std::vector<std::string> names;
  names.reserve(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    names.push_back(header && !cells[c].empty() ? std::string(cells[c]) : fmt::format("c{}", c));
  }
  return names;
}

std::vector<Message> notes_on_names(std::span<const std::string_view> header,
                                    const std::vector<std::string>& names) {
  std::vector<Message> notes;
  std::unordered_map<std::string_view, std::size_t> first;
  std::size_t count = 0;
  const auto note = [&](Message message) {
    if (++count <= kNotesByColumn) {
      notes.push_back(std::move(message));
    }
  };
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto [seen, is_new] = first.emplace(names[c], c);
    if (header[c].empty()) {
      Message unnamed = message("column_names", "", "column {} has no name and is called {}", c + 1,
                                quoted(names[c]));
      if (c == 0) {
        unnamed.parameter = "drop";
        unnamed.text += "; if it numbers the rows, {drop} {} ignores it";
        unnamed.facts.push_back(names[c]);
      }
      note(std::move(unnamed));
    }
    if (!is_new) {
      note(message("column_names", "", "columns {} and {} have the same name, {}", seen->second + 1,
                   c + 1, quoted(names[c])));
    }
  }
  if (count > kNotesByColumn) {
    notes.push_back(message("column_names", "",
                            "{} more columns have no name, or that of another column",
                            count - kNotesByColumn));
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

// The header of a table: see column_names.hpp.
#include "input/column_names.hpp"

#include <span>

#include <fmt/format.h>

#include "input/number.hpp"
#include "input/reject.hpp"
#include "input/table.hpp"

namespace shiftcut {

namespace {

bool holds_only_numbers(std::span<const std::string_view> cells) {
  double value = 0;
  std::size_t numbers = 0;
  for (const std::string_view cell : cells) {
    if (is_missing(cell)) {
      continue;
    }
    if (parse_number(cell, value) == NumberKind::text) {
      return false;
    }
    ++numbers;
  }
  return numbers > 0;
}

}  // namespace

std::vector<std::string> column_names(const RecordReader& records, bool header) {
  const auto cells = records.cells();
  if (header && holds_only_numbers(cells)) {
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

void require_width(const RecordReader& records, std::size_t width, bool header) {
  if (records.cells().size() != width) {
    reject_line(records.file(), records.line(),
                fmt::format("found {} {}; allowed: {}, as in the {}", records.cells().size(),
                            records.cells().size() == 1 ? "cell" : "cells", width,
                            header ? "header" : "first row"));
  }
}

}  // namespace shiftcut

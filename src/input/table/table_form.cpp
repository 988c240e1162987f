// Delimiter and decimal mark by the first lines of a table: a delimiter must split all of them into
// the same number of cells, and a decimal comma must leave no other reading.
#include "input/table/table_form.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/parse.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"
#include "input/table/table.hpp"

namespace shiftcut {

namespace {

constexpr std::array kOtherDelimiters = {';', '\t', '|'};

// The first complete lines. They end before a line with an open quote, whose record continues.
std::vector<std::string_view> first_lines(RecordReader& records) {
  std::string_view text = records.ahead(kTableFormSample);
  const bool whole_file = text.size() < kTableFormSample;
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find(records.lines().line_end());
    if (end == std::string_view::npos && !whole_file) {
      break;
    }
    const std::string_view line = text.substr(0, end);
    if (std::count(line.begin(), line.end(), '"') % 2 != 0) {
      break;
    }
    if (!trimmed(line).empty()) {
      lines.push_back(line);
    }
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return lines;
}

std::string_view unquoted(std::string_view cell) {
  const bool quoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
  return quoted ? trimmed(cell.substr(1, cell.size() - 2)) : cell;
}

std::string delimiter_name(char delimiter) {
  switch (delimiter) {
    case ',':
      return "commas";
    case ';':
      return "semicolons";
    case '\t':
      return "tabs";
    case '|':
      return "bars";
    default:
      return quoted(std::string_view(&delimiter, 1));
  }
}

// Whether all lines have the same number of cells, two or more.
bool splits_evenly(const std::vector<std::string_view>& lines, char delimiter) {
  const std::size_t width = cells_of(lines.front(), delimiter).size();
  return width > 1 && std::ranges::all_of(lines, [&](std::string_view line) {
           return cells_of(line, delimiter).size() == width;
         });
}

// 1,5 or -,5 or 1,5e3.
bool has_decimal_comma(std::string_view cell) {
  double value = 0;
  return cell.find(',') != std::string_view::npos &&
         parse_cell(cell, true, value) != NumberKind::text;
}

bool has_decimal_point(std::string_view cell) {
  double value = 0;
  return cell.find('.') != std::string_view::npos && parse_number(cell, value) != NumberKind::text;
}

// 1,234 may be one thousand two hundred and thirty-four, or a little more than one.
bool may_be_thousands(std::string_view cell) {
  const std::size_t comma = cell.find(',');
  const std::size_t before = comma - (cell.starts_with('-') || cell.starts_with('+') ? 1 : 0);
  return cell.size() - comma - 1 == 3 && before >= 1 && before <= 3 && !cell.starts_with("0") &&
         cell.find_first_of("eE") == std::string_view::npos;
}

char delimiter_of(const std::vector<std::string_view>& lines, const ReadOptions& options,
                  char standard) {
  if (options.delimiter != '\0') {
    return options.delimiter;
  }
  if (standard != ',' || lines.size() < 2) {
    return standard;
  }
  char found = '\0';
  for (const char candidate : kOtherDelimiters) {
    if (splits_evenly(lines, candidate)) {
      if (found != '\0') {
        return standard;  // two candidates: neither
      }
      found = candidate;
    }
  }
  if (found == '\0' || !splits_evenly(lines, ',')) {
    return found == '\0' ? standard : found;
  }
  // Both split the lines evenly, as in 1,5;2,5: the other one is right if it yields numbers.
  const bool numbers = std::all_of(
      lines.begin() + (options.header ? 1 : 0), lines.end(), [&](std::string_view line) {
        return std::ranges::all_of(cells_of(line, found), [](std::string_view cell) {
          double value = 0;
          return has_decimal_comma(cell) || parse_number(cell, value) != NumberKind::text;
        });
      });
  return numbers ? found : standard;
}

void detect_decimal_mark(const std::vector<std::string_view>& lines, const ReadOptions& options,
                         TableForm& form) {
  std::string comma;     // a number with a decimal comma
  std::string point;     // a number with a decimal point
  bool certain = false;  // some comma cannot separate thousands
  for (std::size_t i = options.header ? 1 : 0; i < lines.size(); ++i) {
    for (const std::string_view cell : cells_of(lines[i], form.delimiter)) {
      if (has_decimal_comma(cell)) {
        certain = certain || !may_be_thousands(cell);
        comma = comma.empty() || certain ? std::string(cell) : comma;
      } else if (has_decimal_point(cell)) {
        point = cell;
      }
    }
  }
  if (comma.empty()) {
    return;
  }
  form.decimal_comma = certain && point.empty();
  if (form.decimal_comma) {
    form.notes.push_back(message("decimal_comma", "",
                                 "numbers have a decimal comma: {} was read as a number",
                                 quoted(comma)));
  } else {
    form.notes.push_back(message(
        "decimal_comma", "",
        "{} was read as text: {}; write numbers with a decimal point to have them read as numbers",
        quoted(comma),
        point.empty()
            ? "its comma may be a decimal comma or separate thousands"
            : fmt::format("it has a comma, while others, such as {}, have a decimal point",
                          quoted(point))));
  }
}

}  // namespace

std::vector<std::string_view> cells_of(std::string_view line, char delimiter) {
  std::vector<std::string_view> cells;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    quoted = line[at] == '"' ? !quoted : quoted;
    if (line[at] == delimiter && !quoted) {
      cells.push_back(unquoted(trimmed(line.substr(begin, at - begin))));
      begin = at + 1;
    }
  }
  cells.push_back(unquoted(trimmed(line.substr(begin))));
  return cells;
}

TableForm table_form(RecordReader& records, const ReadOptions& options, char standard) {
  const char given = options.delimiter;
  const bool in_numbers = (given >= '0' && given <= '9') || (given >= 'a' && given <= 'z') ||
                          (given >= 'A' && given <= 'Z');
  if (in_numbers || std::string_view("\"\r\n .+-").find(given) != std::string_view::npos) {
    reject(records.file(), message("out_of_range", "delimiter",
                                   "{delimiter}: found {}; allowed: a character that occurs in no "
                                   "number, such as ; or |, but not a blank or a quote",
                                   quoted(std::string_view(&given, 1))));
  }
  const std::vector<std::string_view> lines = first_lines(records);
  TableForm form;
  form.delimiter = delimiter_of(lines, options, standard);
  if (form.delimiter != standard && options.delimiter == '\0') {
    form.notes.push_back(message("delimiter_found", "delimiter",
                                 "cells are separated by {}, not by {}; {delimiter} overrides this",
                                 delimiter_name(form.delimiter), delimiter_name(standard)));
  }
  if (form.delimiter != ',') {
    detect_decimal_mark(lines, options, form);
  }
  return form;
}

}  // namespace shiftcut

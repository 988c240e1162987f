// A wrong column name gets those most like it as a suggestion, by edit distance.
#include "input/table/columns.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"

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

// 0, 1, 2, ..., perhaps behind an empty cell: what data frames call columns that have no names.
bool numbers_the_columns(std::span<const std::string_view> cells) {
  if (!cells.empty() && cells[0].empty()) {
    cells = cells.subspan(1);
  }
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (cells[c] != fmt::format("{}", c)) {
      return false;
    }
  }
  return cells.size() > 1;
}

// Levenshtein: how many letters to insert, delete or replace to turn one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kLettersCompared);
  b = b.substr(0, kLettersCompared);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// All names if there are few, otherwise those most similar to `wanted`.
std::string names_to_show(const std::vector<std::string>& names, std::string_view wanted) {
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < names.size(); ++i) {
    order.emplace_back(names.size() > kNamesShown ? edit_distance(names[i], wanted) : 0, i);
  }
  const std::size_t shown = std::min(kNamesShown, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < shown; ++i) {
    texts.push_back(quoted(names[order[i].second]));
  }
  return fmt::format("{}{}", comma_separated(texts), names.size() > shown ? ", ..." : "");
}

std::size_t find_column(const std::string& file, const std::vector<std::string>& names,
                        const std::string& wanted, const std::string& parameter) {
  const auto first = std::find(names.begin(), names.end(), wanted);
  if (first == names.end()) {
    reject(file, message("unknown_column", parameter,
                         "{" + parameter + "}: found no column {}; allowed: {}", quoted(wanted),
                         names_to_show(names, wanted)));
  }
  if (std::find(first + 1, names.end(), wanted) != names.end()) {
    reject(file,
           message("unknown_column", parameter,
                   "{" + parameter + "}: found two columns {}; allowed: a name that occurs once",
                   quoted(wanted)));
  }
  return static_cast<std::size_t>(first - names.begin());
}

}  // namespace

std::vector<std::string> column_names(const RecordReader& records, bool header,
                                      bool decimal_comma) {
  const auto cells = records.cells();
  if (header && !records.lines().is_converted() && holds_only_numbers(cells, decimal_comma) &&
      !numbers_the_columns(cells)) {
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

std::vector<ColumnKind> plan_columns(const std::string& file, const std::vector<std::string>& names,
                                     const ReadOptions& options) {
  std::vector<ColumnKind> kinds(names.size(), ColumnKind::undecided);
  const auto assign = [&](const std::string& name, ColumnKind kind, const std::string& parameter) {
    ColumnKind& now = kinds[find_column(file, names, name, parameter)];
    if (now != ColumnKind::undecided && now != kind) {
      reject(file, message("not_applicable", parameter,
                           "{" + parameter +
                               "}: found column {}, which another option names as well; allowed: "
                               "one of {label_column}, {weight_column}, {cannot_link_by}, {drop}, "
                               "{categorical}",
                           quoted(name)));
    }
    now = kind;
  };
  if (!options.label_column.empty()) {
    assign(options.label_column, ColumnKind::label, "label_column");
  }
  if (!options.weight_column.empty()) {
    assign(options.weight_column, ColumnKind::weight, "weight_column");
  }
  if (!options.group_column.empty()) {
    assign(options.group_column, ColumnKind::group, "cannot_link_by");
  }
  for (const std::string& name : options.drop) {
    assign(name, ColumnKind::dropped, "drop");
  }
  for (const std::string& name : options.categorical) {
    assign(name, ColumnKind::text, "categorical");
  }
  const bool any_left = std::any_of(kinds.begin(), kinds.end(), [](ColumnKind kind) {
    return kind == ColumnKind::undecided || kind == ColumnKind::text;
  });
  if (!any_left) {
    reject(file,
           "found no columns besides the label column and the dropped ones; allowed: one or "
           "more columns of features");
  }
  return kinds;
}

}  // namespace shiftcut

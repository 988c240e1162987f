// Missing cells take the median of a column of numbers, or the most frequent value of a column of
// text. One column is gathered at a time: 8 bytes per row beside the table.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/limits.hpp"
#include "input/table/table.hpp"
#include "input/table/table_encoding.hpp"

namespace shiftcut {

namespace {

// The mean of the two middle values if their number is even. Reorders `values`.
double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) {
    return *middle;
  }
  const double below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

}  // namespace

double median_of_column(Table& table, std::size_t stored) {
  const std::size_t width = table.stored.size();
  std::vector<double> values;
  values.reserve(table.rows - table.missing[table.stored[stored]]);
  for (const std::vector<double>& block : table.cells.blocks()) {
    for (std::size_t i = stored; i < block.size(); i += width) {
      if (!std::isnan(block[i])) {
        values.push_back(block[i]);
      }
    }
  }
  return median(values);
}

std::size_t mode(const Categories& categories) {
  const NameTable& names = categories.names;
  std::size_t best = 0;
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (categories.counts[i] > categories.counts[best] ||
        (categories.counts[i] == categories.counts[best] && names[i] < names[best])) {
      best = i;
    }
  }
  return best;
}

namespace {

struct Filling {
  std::size_t stored;
  double value;
};

void fill(Table& table, const std::vector<Filling>& fillings) {
  const std::size_t width = table.stored.size();
  for (std::vector<double>& block : table.cells.blocks()) {
    for (std::size_t row = 0; row < block.size(); row += width) {
      for (const Filling& filling : fillings) {
        double& cell = block[row + filling.stored];
        cell = std::isnan(cell) ? filling.value : cell;
      }
    }
  }
}

Message note(const Table& table, const Filling& filling) {
  const std::size_t column = table.stored[filling.stored];
  const std::string value =
      table.kinds[column] == ColumnKind::number
          ? fmt::format("median {}", filling.value)
          : fmt::format(
                "most frequent value {}",
                quoted(table.categories[column]->names[static_cast<std::size_t>(filling.value)]));
  return message("filled_cells", "", "column {}: {} missing {} filled with the {}",
                 quoted(table.names[column]), table.missing[column],
                 table.missing[column] == 1 ? "cell" : "cells", value);
}

}  // namespace

std::vector<Message> fill_missing(Table& table) {
  std::vector<Filling> fillings;
  std::size_t cells = 0;
  for (std::size_t s = 0; s < table.stored.size(); ++s) {
    const std::size_t column = table.stored[s];
    if (table.missing[column] == 0 || table.missing[column] == table.rows) {
      continue;
    }
    const double value = table.kinds[column] == ColumnKind::number
                             ? median_of_column(table, s)
                             : static_cast<double>(mode(*table.categories[column]));
    fillings.push_back({s, value});
    cells += table.missing[column];
  }
  if (fillings.empty()) {
    return {};
  }
  fill(table, fillings);
  std::vector<Message> notes;
  const std::size_t shown = std::min(fillings.size(), kNotesByColumn);
  for (std::size_t i = 0; i < shown; ++i) {
    notes.push_back(note(table, fillings[i]));
  }
  if (shown < fillings.size()) {
    notes.push_back(message(
        "filled_cells", "",
        "{} more columns had missing cells filled in the same way ({} cells in all {} columns)",
        fillings.size() - shown, cells, fillings.size()));
  }
  return notes;
}

}  // namespace shiftcut

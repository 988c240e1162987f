// From cells to numbers and categories. Columns whose kind no option sets are decided by the first
// 1000 rows; those that are empty there, by their first value.
#include <limits>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"
#include "input/table/table.hpp"

namespace shiftcut {

namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kAllowedInNumbers = "a finite number, or empty, ? or NA where it is missing";

[[noreturn]] void reject_text_in_numbers(const Table& table, std::uint64_t line, std::size_t column,
                                         std::string_view cell) {
  const std::string& name = table.names[column];
  reject_column(
      table.file, line, column, name,
      message("bad_input", "categorical",
              "found {} in a column of numbers; allowed: a number{}, or empty, ? or NA where it is "
              "missing; {categorical} {} treats the column as codes, {drop} {} ignores it",
              quoted(cell), table.decimal_comma ? " with a decimal comma, as in earlier rows" : "",
              quoted(name), quoted(name)));
}

double number_cell(Table& table, std::uint64_t line, std::size_t column, std::string_view cell,
                   CellRule rule) {
  double value = 0;
  const NumberKind kind = parse_cell(cell, table.decimal_comma, value);
  if (kind == NumberKind::finite) {
    return value;
  }
  if (rule == CellRule::matrix) {
    reject_cell(table.file, line, column, table.names[column], cell,
                "a finite number, in every cell of a matrix");
  }
  if (is_missing(cell)) {
    ++table.missing[column];
    return kMissing;
  }
  if (kind == NumberKind::not_finite) {
    reject_cell(table.file, line, column, table.names[column], cell, kAllowedInNumbers);
  }
  reject_text_in_numbers(table, line, column, cell);
}

double category_cell(Table& table, std::uint64_t line, std::size_t column, std::string_view cell) {
  if (is_missing(cell)) {
    ++table.missing[column];
    return kMissing;
  }
  std::unique_ptr<Categories>& categories = table.categories[column];
  if (categories == nullptr) {
    categories = std::make_unique<Categories>();
  }
  const std::uint32_t category = categories->names.index_of(cell);
  if (category == categories->counts.size()) {
    if (category == kMostCategories) {
      reject_column(table.file, line, column, table.names[column],
                    message("identifier_column", "drop",
                            "found over {} categories, which looks like an identifier; allowed: at "
                            "most {}; {drop} {} ignores the column",
                            kMostCategories, kMostCategories, quoted(table.names[column])));
    }
    categories->counts.push_back(0);
  }
  ++categories->counts[category];
  return category;
}

void add_label(Table& table, std::uint64_t line, std::size_t column, std::string_view cell) {
  if (is_missing(cell)) {
    reject_cell(table.file, line, column, table.names[column], cell,
                "a label in every row of the label column");
  }
  table.labels.push_back(static_cast<std::int32_t>(table.label_names.index_of(cell)));
}

void add_weight(Table& table, std::uint64_t line, std::size_t column, std::string_view cell) {
  double weight = -1;
  if (is_missing(cell) || parse_cell(cell, table.decimal_comma, weight) != NumberKind::finite ||
      weight < 0) {
    reject_cell(table.file, line, column, table.names[column], cell,
                "a finite number of 0 or more in every row of the weight column");
  }
  table.weights.push_back(weight);
}

ColumnKind kind_by_first_value(std::string_view cell, bool decimal_comma) {
  double value = 0;
  if (is_missing(cell)) {
    return ColumnKind::undecided;
  }
  return parse_cell(cell, decimal_comma, value) == NumberKind::text ? ColumnKind::text
                                                                    : ColumnKind::number;
}

}  // namespace

NumberKind parse_cell(std::string_view cell, bool decimal_comma, double& value) {
  if (!decimal_comma) {
    return parse_number(cell, value);
  }
  if (cell.find('.') != std::string_view::npos) {
    return NumberKind::text;  // it may separate thousands
  }
  std::string with_point(cell);
  const std::size_t comma = with_point.find(',');
  if (comma != std::string::npos) {
    with_point[comma] = '.';
  }
  return parse_number(with_point, value);
}

void add_row(Table& table, std::span<const std::string_view> cells, std::uint64_t line,
             CellRule rule) {
  if (table.rows >= kMostObjects) {
    reject_line(table.file, line,
                fmt::format("found over {} rows; allowed: at most that many", kMostObjects));
  }
  double* out = table.cells.append(table.stored.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (table.kinds[c] == ColumnKind::undecided) {
      table.kinds[c] = kind_by_first_value(cells[c], table.decimal_comma);
    }
    switch (table.kinds[c]) {
      case ColumnKind::number:
        *out++ = number_cell(table, line, c, cells[c], rule);
        break;
      case ColumnKind::text:
        *out++ = category_cell(table, line, c, cells[c]);
        break;
      case ColumnKind::undecided:
        ++table.missing[c];
        *out++ = kMissing;
        break;
      case ColumnKind::label:
        add_label(table, line, c, cells[c]);
        break;
      case ColumnKind::group:
        table.groups.push_back(
            is_missing(cells[c]) ? -1
                                 : static_cast<std::int32_t>(table.group_names.index_of(cells[c])));
        break;
      case ColumnKind::weight:
        add_weight(table, line, c, cells[c]);
        break;
      case ColumnKind::dropped:
        break;
    }
  }
  ++table.rows;
}

void RowSample::add(std::span<const std::string_view> cells, std::uint64_t line) {
  width_ = cells.size();
  for (const std::string_view cell : cells) {
    text_ += cell;
    lengths_.push_back(static_cast<std::uint32_t>(cell.size()));
  }
  lines_.push_back(line);
}

bool RowSample::full() const {
  return lines_.size() >= kSampledRows ||
         text_.size() + lengths_.size() * sizeof(std::uint32_t) >= kSampledRowBytes;
}

void RowSample::decide_kinds(Table& table) const {
  std::vector<std::uint32_t> numbers(width_, 0);
  std::vector<std::uint32_t> texts(width_, 0);
  replay([&](std::span<const std::string_view> cells, std::uint64_t) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      double value = 0;
      if (table.kinds[c] != ColumnKind::undecided || is_missing(cells[c])) {
        continue;
      }
      ++(parse_cell(cells[c], table.decimal_comma, value) == NumberKind::text ? texts : numbers)[c];
    }
  });
  for (std::size_t c = 0; c < width_; ++c) {
    if (table.kinds[c] != ColumnKind::undecided || numbers[c] + texts[c] == 0) {
      continue;
    }
    if (texts[c] != 0 && texts[c] <= numbers[c]) {
      reject_first_text(table, c);
    }
    table.kinds[c] = texts[c] == 0 ? ColumnKind::number : ColumnKind::text;
  }
}

void RowSample::reject_first_text(const Table& table, std::size_t column) const {
  replay([&](std::span<const std::string_view> cells, std::uint64_t line) {
    double value = 0;
    if (!is_missing(cells[column]) &&
        parse_cell(cells[column], table.decimal_comma, value) == NumberKind::text) {
      reject_text_in_numbers(table, line, column, cells[column]);
    }
  });
}

}  // namespace shiftcut

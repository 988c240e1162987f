// Kinds of columns from the first rows: see row_sample.hpp.
#include "input/table/row_sample.hpp"

#include "input/table/table_rows.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kRows = 1000;
constexpr std::size_t kBytes = std::size_t{64} << 20;

}  // namespace

void RowSample::add(std::span<const std::string_view> cells, std::uint64_t line) {
  width_ = cells.size();
  for (const std::string_view cell : cells) {
    text_ += cell;
    lengths_.push_back(static_cast<std::uint32_t>(cell.size()));
  }
  lines_.push_back(line);
}

bool RowSample::full() const {
  return lines_.size() >= kRows || text_.size() + lengths_.size() * sizeof(std::uint32_t) >= kBytes;
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

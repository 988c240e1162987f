// DenseArray and SparseMatrix: see include/shiftcut/data.hpp.
#include "shiftcut/data.hpp"

#include <algorithm>

#include "core/message.hpp"

namespace shiftcut {

namespace {

void require_size(std::size_t have, std::size_t rows, std::size_t columns) {
  if (have != rows * columns || (rows > 0 && have / rows != columns)) {
    refuse("wrong_length", "", "array: found {} numbers, allowed: {} x {} = {}", have, rows,
           columns, rows * columns);
  }
}

}  // namespace

DenseArray DenseArray::own(std::vector<double> values, std::size_t rows, std::size_t columns) {
  require_size(values.size(), rows, columns);
  auto owner = std::make_shared<const std::vector<double>>(std::move(values));
  return borrow(owner->data(), rows, columns, owner);
}

DenseArray DenseArray::own(std::vector<float> values, std::size_t rows, std::size_t columns) {
  require_size(values.size(), rows, columns);
  auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  return borrow(owner->data(), rows, columns, owner);
}

DenseArray DenseArray::borrow(const double* values, std::size_t rows, std::size_t columns,
                              std::shared_ptr<const void> keep_alive) {
  DenseArray array;
  array.f64_ = values;
  array.rows_ = rows;
  array.columns_ = columns;
  array.keep_alive_ = std::move(keep_alive);
  return array;
}

DenseArray DenseArray::borrow(const float* values, std::size_t rows, std::size_t columns,
                              std::shared_ptr<const void> keep_alive) {
  DenseArray array;
  array.f32_ = values;
  array.rows_ = rows;
  array.columns_ = columns;
  array.keep_alive_ = std::move(keep_alive);
  return array;
}

DenseArray DenseArray::fetched(Fetch fetch, std::size_t rows, std::size_t columns) {
  DenseArray array;
  array.fetch_ = std::make_shared<const Fetch>(std::move(fetch));
  array.rows_ = rows;
  array.columns_ = columns;
  return array;
}

void DenseArray::fetch_row(std::size_t row, double* out) const {
  (*fetch_)(order_ != nullptr ? order_[row] : row, out);
}

double DenseArray::fetched_at(std::size_t row, std::size_t column) const {
  std::vector<double> numbers(columns_);
  fetch_row(row, numbers.data());
  return numbers[column];
}

DenseArray DenseArray::with_rows(std::vector<std::uint32_t> order) const {
  if (order_ != nullptr) {
    for (std::uint32_t& row : order) {
      row = order_[row];
    }
  }
  struct Kept {
    std::vector<std::uint32_t> order;
    std::shared_ptr<const void> numbers;
  };
  auto kept = std::make_shared<const Kept>(Kept{std::move(order), keep_alive_});
  DenseArray array = *this;
  array.rows_ = kept->order.size();
  array.order_ = kept->order.data();
  array.keep_alive_ = std::move(kept);
  return array;
}

SparseMatrix sparse_from_entries(std::vector<Entry> entries, std::size_t rows,
                                 std::size_t columns) {
  for (const Entry& entry : entries) {
    if (entry.row >= rows || entry.column >= columns) {
      refuse("out_of_range", "",
             "sparse matrix: found an entry in row {}, column {}; allowed: {} x {}, counted from 0",
             entry.row, entry.column, rows, columns);
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  SparseMatrix matrix;
  matrix.rows = rows;
  matrix.columns_count = columns;
  matrix.offsets.assign(rows + 1, 0);
  matrix.columns.reserve(entries.size());
  matrix.values.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (i > 0 && entries[i - 1].row == entry.row && entries[i - 1].column == entry.column) {
      matrix.values.back() += entry.value;
      continue;
    }
    matrix.columns.push_back(entry.column);
    matrix.values.push_back(entry.value);
    ++matrix.offsets[entry.row + 1];
  }
  for (std::size_t i = 0; i < rows; ++i) {
    matrix.offsets[i + 1] += matrix.offsets[i];
  }
  return matrix;
}

std::size_t Input::objects() const {
  return std::visit(
      [](const auto& v) -> std::size_t {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, DenseArray>) {
          return v.rows();
        } else {
          return v.rows;
        }
      },
      values);
}

}  // namespace shiftcut

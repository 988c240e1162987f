#include "input_from_arrays.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

namespace shiftcut_python {

namespace {

template <class Columns>
void copy_columns(const Columns& from, std::vector<std::uint32_t>& to) {
  to.reserve(from.shape(0));
  for (std::size_t i = 0; i < from.shape(0); ++i) {
    to.push_back(static_cast<std::uint32_t>(from.data()[i]));
  }
}

shiftcut::SparseMatrix sparse_from(const nb::tuple& parts) {
  const auto offsets = nb::cast<Offsets>(parts[0]);
  const auto values = nb::cast<Values>(parts[2]);
  const auto shape = nb::cast<nb::tuple>(parts[3]);
  shiftcut::SparseMatrix matrix;
  matrix.rows = nb::cast<std::size_t>(shape[0]);
  matrix.columns_count = nb::cast<std::size_t>(shape[1]);
  if (std::max(matrix.rows, matrix.columns_count) > std::numeric_limits<std::uint32_t>::max()) {
    throw std::invalid_argument("X: found more than 2^32 - 1 rows or columns; allowed: fewer");
  }
  matrix.offsets.assign(offsets.data(), offsets.data() + offsets.shape(0));
  matrix.values.assign(values.data(), values.data() + values.shape(0));
  if (Columns32 columns; nb::try_cast(parts[1], columns, false)) {
    copy_columns(columns, matrix.columns);
  } else {
    copy_columns(nb::cast<Columns64>(parts[1]), matrix.columns);
  }
  return matrix;
}

}  // namespace

std::variant<shiftcut::DenseArray, shiftcut::SparseMatrix> values_from(nb::handle given) {
  if (nb::isinstance<nb::tuple>(given)) {
    return sparse_from(nb::cast<nb::tuple>(given));
  }
  if (DenseFloat floats; nb::try_cast(given, floats, false)) {
    return shiftcut::DenseArray::borrow(floats.data(), floats.shape(0), floats.shape(1));
  }
  if (DenseDouble doubles; nb::try_cast(given, doubles, false)) {
    return shiftcut::DenseArray::borrow(doubles.data(), doubles.shape(0), doubles.shape(1));
  }
  throw nb::type_error(
      "expected a C-contiguous two-dimensional array of float32 or float64, or the parts of a CSR "
      "matrix");
}

}  // namespace shiftcut_python

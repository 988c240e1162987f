// The training rows in a model file, which are of one of several types.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "run/predict/model_archive.hpp"
#include "shiftcut/model.hpp"

namespace shiftcut {

enum class RowKind : std::uint8_t { none, float32, float64, sparse };

template <class RowOf>
auto copied(const DenseArray& rows, const RowOf& row_of) {
  std::vector<std::remove_cvref_t<decltype(*row_of(0))>> values;
  values.reserve(rows.rows() * rows.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    values.insert(values.end(), row_of(i), row_of(i) + rows.columns());
  }
  return values;
}

inline void write_rows(ModelWriter& to, const std::optional<Rows>& rows) {
  if (!rows) {
    to.word(RowKind::none, RowKind::sparse);
    return;
  }
  if (const auto* dense = std::get_if<DenseArray>(&*rows)) {
    to.word(dense->is_float32() ? RowKind::float32 : RowKind::float64, RowKind::sparse);
    to.field(dense->rows());
    to.field(dense->columns());
    if (dense->is_float32()) {
      to.field(copied(*dense, [&](std::size_t i) { return dense->f32_row(i); }));
    } else {
      to.field(copied(*dense, [&](std::size_t i) { return dense->f64_row(i); }));
    }
    return;
  }
  const auto& sparse = std::get<SparseMatrix>(*rows);
  to.word(RowKind::sparse, RowKind::sparse);
  to.field(sparse.rows);
  to.field(sparse.columns_count);
  to.field(sparse.offsets);
  to.field(sparse.columns);
  to.field(sparse.values);
}

template <class T>
DenseArray read_dense(ModelReader& from) {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<T> values;
  from.field(rows);
  from.field(columns);
  from.field(values);
  if (columns == 0 || values.size() % columns != 0 || values.size() / columns != rows) {
    from.refuse("rows of another length");
  }
  return DenseArray::own(std::move(values), rows, columns);
}

inline std::optional<Rows> read_rows(ModelReader& from) {
  RowKind kind = RowKind::none;
  from.word(kind, RowKind::sparse);
  switch (kind) {
    case RowKind::none:
      break;
    case RowKind::float32:
      return read_dense<float>(from);
    case RowKind::float64:
      return read_dense<double>(from);
    case RowKind::sparse: {
      SparseMatrix sparse;
      from.field(sparse.rows);
      from.field(sparse.columns_count);
      from.field(sparse.offsets);
      from.field(sparse.columns);
      from.field(sparse.values);
      return sparse;
    }
  }
  return std::nullopt;
}

}  // namespace shiftcut

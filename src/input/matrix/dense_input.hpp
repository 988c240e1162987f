// A dense array as an Input of the requested shape, once it has been checked.
#pragma once

#include <algorithm>
#include <cstddef>

#include "input/bytes/byte_source.hpp"
#include "input/limits.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Whether it remains to be checked that every value is finite.
enum class FiniteCheck { needed, done };

/// `automatic` is the shape that ShapeChoice::automatic stands for. Similarities and distances must
/// be square and symmetric (to 1e-8 of the largest absolute value), distances non-negative with
/// zeros on the diagonal; the nonzeros of a symmetric matrix are the edges of a graph. Throws
/// std::invalid_argument.
Input dense_input(DenseArray values, ShapeChoice choice, Shape automatic, const ByteSource& source,
                  FiniteCheck finite);

/// Transposes `values`, rows x columns, row by row, into rows of `out` that are `stride` apart.
/// Works tile by tile, so that both sides stay in the cache.
template <class T>
void transpose(const T* values, std::size_t rows, std::size_t columns, T* out, std::size_t stride) {
  for (std::size_t row = 0; row < rows; row += kTransposeTile) {
    for (std::size_t column = 0; column < columns; column += kTransposeTile) {
      const std::size_t row_end = std::min(rows, row + kTransposeTile);
      const std::size_t column_end = std::min(columns, column + kTransposeTile);
      for (std::size_t j = column; j < column_end; ++j) {
        for (std::size_t i = row; i < row_end; ++i) {
          out[j * stride + i] = values[i * columns + j];
        }
      }
    }
  }
}

}  // namespace shiftcut

// The transpose of a matrix, tile by tile, so that both sides stay in the cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace shiftcut {

/// `values` is rows x columns, row by row; the answer is columns x rows, row by row.
template <class T>
std::vector<T> transposed(const T* values, std::size_t rows, std::size_t columns) {
  constexpr std::size_t kTile = 32;
  std::vector<T> out(rows * columns);
  for (std::size_t row = 0; row < rows; row += kTile) {
    for (std::size_t column = 0; column < columns; column += kTile) {
      const std::size_t row_end = std::min(rows, row + kTile);
      const std::size_t column_end = std::min(columns, column + kTile);
      for (std::size_t j = column; j < column_end; ++j) {
        for (std::size_t i = row; i < row_end; ++i) {
          out[j * rows + i] = values[i * columns + j];
        }
      }
    }
  }
  return out;
}

}  // namespace shiftcut

// The header of a NumPy .npy file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "input/byte_source.hpp"

namespace shiftcut {

struct NpyHeader {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t value_size = 8;   // 4: float32, 8: float64
  bool fortran_order = false;   // column by column
  std::size_t data_offset = 0;  // where the numbers begin
  std::size_t data_bytes = 0;   // how many bytes they take
};

/// Reads up to the first number. Throws std::invalid_argument unless it is a 2-D array of
/// little-endian float32 or float64 with one or more rows and columns.
/// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
NpyHeader read_npy_header(ByteSource& source);

}  // namespace shiftcut

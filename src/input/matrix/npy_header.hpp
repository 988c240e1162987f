// The header of a NumPy .npy file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "input/bytes/byte_source.hpp"

namespace shiftcut {

/// Types of numbers by NumPy's letters: floating point, signed, unsigned, bool.
enum class NpyKind : char { floating = 'f', integer = 'i', natural = 'u', boolean = 'b' };

struct NpyHeader {
  std::size_t rows = 0;
  std::size_t columns = 0;
  NpyKind kind = NpyKind::floating;
  std::size_t value_size = 8;   // bytes of a number: 2, 4, 8 of floating point, 1 to 8 of integers
  bool big_endian = false;      // the first byte of a number is its highest
  bool fortran_order = false;   // column by column
  std::size_t data_offset = 0;  // where the numbers begin
  std::size_t data_bytes = 0;   // how many bytes they take
};

/// Reads up to the first number. Throws std::invalid_argument unless it is a 2-D array of float16,
/// float32, float64, integers of 8 to 64 bits or bool with one or more rows and columns.
/// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
NpyHeader read_npy_header(ByteSource& source);

}  // namespace shiftcut

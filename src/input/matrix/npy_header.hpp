// Reads the header of a NumPy .npy file: shape, type and order of the numbers that follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "input/bytes/byte_source.hpp"

namespace shiftcut {

/// Kinds of numbers by NumPy's letters.
enum class NpyKind : char { floating = 'f', integer = 'i', natural = 'u', boolean = 'b' };

struct NpyHeader {
  std::size_t rows = 0;
  std::size_t columns = 0;
  NpyKind kind = NpyKind::floating;
  std::size_t value_size = 8;   // bytes per number: 2, 4, 8 for floating point, 1 to 8 for integers
  bool big_endian = false;      // the most significant byte comes first
  bool fortran_order = false;   // column by column
  std::size_t data_offset = 0;  // where the numbers begin
  std::size_t data_bytes = 0;   // size of all numbers
};

/// How many dimensions are allowed: rows and columns, or none or one, which becomes rows of one
/// column each and may be empty.
enum class NpyShape { table, list };

/// Reads up to the first number. Throws std::invalid_argument unless the file holds a 2-D array of
/// float16, float32, float64, integers of 8 to 64 bits or bool, with one or more rows and columns.
/// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
NpyHeader read_npy_header(ByteSource& source, NpyShape shape = NpyShape::table);

}  // namespace shiftcut

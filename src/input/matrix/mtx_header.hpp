// The head of a Matrix Market file: its banner and its size line.
#pragma once

#include <cstdint>

#include "input/bytes/line_reader.hpp"

namespace shiftcut {

struct MtxHeader {
  bool coordinate = false;  // a list of entries; otherwise all values, column by column
  bool pattern = false;     // entries without values: each is 1
  bool symmetric = false;   // only the lower triangle is listed
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;  // lines that follow
};

/// Reads up to the size line. Throws std::invalid_argument for what this format does not know or
/// Shiftcut does not read (complex, hermitian, skew-symmetric).
/// Format: https://math.nist.gov/MatrixMarket/formats.html
MtxHeader read_mtx_header(LineReader& lines);

/// Goes to the next line that is neither blank nor a comment; false at the end.
bool next_mtx_line(LineReader& lines);

}  // namespace shiftcut

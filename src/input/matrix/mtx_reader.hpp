// Reads Matrix Market files: a list of entries is a graph, an array a dense matrix.
#pragma once

#include "input/bytes/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Throws std::invalid_argument.
Input read_mtx(ByteSource& source, const ReadOptions& options);

}  // namespace shiftcut

// Reads NumPy .npy arrays.
#pragma once

#include "input/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// A plain file in C order is mapped, not read: its pages come when they are touched. All else is
/// read into memory, column order turned into row order. Throws std::invalid_argument.
Input read_npy(ByteSource& source, const ReadOptions& options);

}  // namespace shiftcut

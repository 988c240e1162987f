// Reads NumPy .npy arrays.
#pragma once

#include "input/bytes/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Reads the array into memory: the file may change or vanish afterwards. Float32 and numbers of
/// one or two bytes, which it holds exactly, become float32, all others float64; column order
/// becomes row order. Throws std::invalid_argument, and std::runtime_error where it does not fit.
Input read_npy(ByteSource& source, const ReadOptions& options);

}  // namespace shiftcut

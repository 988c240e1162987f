// Reads files of pairs.
#pragma once

#include "input/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Lines of two ids and perhaps a weight, separated by commas, tabs or blanks; a first line a,b or
/// a,b,weight, blank lines and lines that begin with # are passed over. Throws
/// std::invalid_argument.
PairFile read_pair_source(ByteSource& source);

}  // namespace shiftcut

// Reads files of pairs.
#pragma once

#include "input/bytes/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Lines of two ids and perhaps a weight, separated by commas, tabs or blanks; a cell in quotes
/// follows the rules of CSV. Blank lines are passed over. So are, with a note, a first line `a b`
/// unless both are objects, and lines that begin with # unless their first cell is an object's id;
/// a first line a,b,weight can't be a pair. Throws std::invalid_argument.
PairFile read_pair_source(ByteSource& source, const Input& input);

}  // namespace shiftcut

// Reads edge lists: a line `u v [w]` for each edge.
#pragma once

#include "input/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Fields stand apart by blanks or one comma, ids are any text, the weight is 1 unless given, lines
/// that begin with # or % are comments. Each line adds its weight to both directions (a self loop
/// once). Objects are numbered in order of first appearance. Throws std::invalid_argument.
Input read_edge_list(ByteSource& source, const ReadOptions& options);

}  // namespace shiftcut

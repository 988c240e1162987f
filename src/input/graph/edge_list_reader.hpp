// Reads edge lists: a line `u v [w]` for each edge.
#pragma once

#include "input/bytes/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Fields stand apart by blanks or one comma, ids are any text that does not begin with # or %, the
/// weight is 1 unless given; lines that begin with # or % are comments. A first line whose third
/// field is a word is a header. Each line adds its weight to both directions (a self loop once).
/// Objects are numbered in order of first appearance. Notes tell where a line may have been meant
/// otherwise. Throws std::invalid_argument.
Input read_edge_list(ByteSource& source, const ReadOptions& options);

}  // namespace shiftcut

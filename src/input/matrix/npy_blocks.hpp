// The rows of an .npy file, some at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "input/bytes/byte_source.hpp"
#include "input/matrix/npy_header.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

/// Rows from `first` on; they are there until the call returns.
using UseBlock = std::function<void(std::size_t first, const DenseArray& rows)>;

/// Bytes of a row in memory.
std::size_t npy_row_bytes(const NpyHeader& header);

/// Calls `use` with all rows in order, as read_input() would read them; `source` is behind the
/// header. Returns notes on the reading. Throws std::invalid_argument for a file that is malformed,
/// or holds columns one after another.
std::vector<Message> read_npy_blocks(ByteSource& source, const NpyHeader& header,
                                     std::size_t rows_at_once, const UseBlock& use);

}  // namespace shiftcut

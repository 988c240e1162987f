// How much memory there is, so that a matrix that can't fit is refused before it is begun.
#pragma once

#include <cstddef>
#include <string>

namespace shiftcut {

/// Bytes the system says it can hand out now, within the process's limit on addresses; a large
/// number where it does not say.
std::size_t available_memory();

/// Throws std::runtime_error, with both sizes and `advice`, if an n x n matrix of doubles for
/// `purpose` would take more than four fifths of the available memory.
void require_square_fits(std::size_t n, const std::string& purpose, const std::string& advice);

}  // namespace shiftcut

// What must hold of data that did not come from a file: read_input() has seen to it for those.
#pragma once

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

/// Throws std::invalid_argument unless the numbers are finite, matrices and graphs square and
/// symmetric, distances not negative, sparse rows well formed.
void check_input(const Input& input, const Control& control);

}  // namespace shiftcut

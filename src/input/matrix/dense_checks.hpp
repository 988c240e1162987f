// What must hold of a dense array before anything is computed from it.
#pragma once

#include <string>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

/// Each throws std::invalid_argument, naming `file` and the entry, or Interrupted. They go over the
/// array in blocks.
void check_finite(const DenseArray& array, const std::string& file, const Control& control);
void check_symmetric(const DenseArray& array, const std::string& file, const Control& control);
void check_distances(const DenseArray& array, const std::string& file, const Control& control);

}  // namespace shiftcut

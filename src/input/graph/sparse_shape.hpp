// Which shapes a sparse file can have.
#pragma once

#include <string>

#include "shiftcut/read.hpp"

namespace shiftcut {

/// Graph unless features were asked for: similarities of pairs that are not listed are 0. Throws
/// std::invalid_argument for distances, since pairs that are not listed have none.
Shape sparse_shape(ShapeChoice choice, const std::string& file);

/// Throws std::invalid_argument unless there are 1 to 2^32 - 2 objects, and no more than 1024 (or
/// a million) for each entry: a broken header may promise billions.
void require_objects(std::size_t objects, std::size_t entries, const std::string& file);

}  // namespace shiftcut

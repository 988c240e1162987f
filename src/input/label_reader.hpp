// Reads files of labels.
#pragma once

#include "input/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// A table with a column `label` (and perhaps `id`), or one label a line. Throws
/// std::invalid_argument.
LabelFile read_label_source(ByteSource& source, char delimiter);

}  // namespace shiftcut

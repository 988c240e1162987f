// Reads files of labels.
#pragma once

#include "input/bytes/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// A table with a column `label` (and perhaps `id`), or one label a line. `delimiter` 0: the one by
/// which the header has a column `label`. Throws std::invalid_argument.
LabelFile read_label_source(ByteSource& source, char delimiter);

}  // namespace shiftcut

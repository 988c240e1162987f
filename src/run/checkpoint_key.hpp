// What a checkpoint belongs to.
#pragma once

#include "shiftcut/checkpoint.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// Begins with a key of everything that the labels depend on: data, options and version, but not
/// the number of threads. Throws InvalidArgument under a time limit, and as Checkpoint::begin().
void begin_checkpoint(Checkpoint& checkpoint, const Input& input, const Options& options);

}  // namespace shiftcut

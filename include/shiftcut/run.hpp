// The whole pipeline: input -> similarities -> shift -> problem -> search -> result.
#pragma once

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Groups the objects of `input`. Throws std::invalid_argument (what, where, what is allowed) for
/// data or options that make no sense, std::runtime_error for what does not fit into memory.
/// Stopped early, it returns the best grouping so far and the reason in `stop_reason`; stopped
/// while computing similarities of features, the grouping of a sample, whose cost may be NaN.
Result run(const Input& input, const Options& options = {}, const Control& control = {});

}  // namespace shiftcut

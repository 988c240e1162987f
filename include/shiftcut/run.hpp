// The one way through: input -> similarity view -> shift -> problem -> search -> result.
#pragma once

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Groups the objects of `input`. Throws std::invalid_argument (what, where, what is allowed) for
/// data or options that make no sense, std::runtime_error where memory can't hold what is asked.
/// Stopped early it returns the best grouping so far and says why in `stop_reason`; stopped while
/// the similarities of features are computed, that of a sample of the rows, whose cost may be NaN.
Result run(const Input& input, const Options& options = {}, const Control& control = {});

}  // namespace shiftcut

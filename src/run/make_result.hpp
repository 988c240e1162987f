// From a solution to the Result a caller gets, with warnings about what makes it doubtful.
#pragma once

#include "run/pipeline.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// All but the seconds of the search and in total.
Result make_result(const Input& input, const Prepared& prepared,
                   const std::optional<Constraints>& constraints, Solution solution,
                   const Context& context);

}  // namespace shiftcut

// A Result of what the stages found, with the sentences on what makes it doubtful.
#pragma once

#include "run/pipeline.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// All but the seconds of search and in total. `constraints` had evidence in units of pair_unit.
Result result_of(const Input& input, const Prepared& prepared,
                 const std::optional<Constraints>& constraints, Solution found,
                 const Context& context);

}  // namespace shiftcut

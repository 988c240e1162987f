// The options of a run with what it chose in them.
#pragma once

#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// With the similarity, the shift and the feature weights that the run chose.
Options chosen_by(const Result& result, Options options);

}  // namespace shiftcut

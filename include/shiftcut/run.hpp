// The whole pipeline: input -> similarities -> shift -> problem -> search -> result.
#pragma once

#include <memory>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Groups the objects of `input`. Equal rows of features share a cluster, unless cannot-links name
/// them; under most similarities the order of the rows changes nothing (docs/method.md). Throws
/// std::invalid_argument (what, where, what is allowed) for data or options that make no sense,
/// std::runtime_error for what does not fit into memory. Stopped early, it returns the best
/// grouping so far and the reason in `stop_reason`; stopped while computing similarities of
/// features, the grouping of a sample, whose cost may be NaN. `neighbors` receives the neighbours
/// that a graph of features was made of, for explain() and make_model(); null where there are none.
Result run(const Input& input, const Options& options = {}, const Control& control = {},
           std::shared_ptr<const NeighborTable>* neighbors = nullptr);

}  // namespace shiftcut

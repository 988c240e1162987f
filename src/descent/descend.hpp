// One descent: sweeps in fresh random order, each object to its best cluster, until a sweep makes
// no move.
#pragma once

#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "problem/problem.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// From given labels, the orders drawn from the context's random numbers: the building block of the
/// searches, and what tests compare with the plain loop. All of the returned Restart but `seconds`
/// is filled in.
Restart descend(const Problem& problem, std::vector<ClusterId>& labels,
                std::optional<std::size_t> clusters, const Context& context);

}  // namespace shiftcut

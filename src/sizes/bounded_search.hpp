// The search under bounds on the sizes of clusters: a local optimum among the groupings that keep
// them, under moves of single objects and, where a bound keeps an object from moving alone, swaps
// of two. It starts from a solution without bounds.
#pragma once

#include <vector>

#include "core/context.hpp"
#include "descent/restarts.hpp"
#include "problem/problem.hpp"
#include "sizes/size_bounds.hpp"

namespace shiftcut {

struct BoundedSearchOptions {
  std::uint64_t seed = 0;
  int restarts = 1;  // of which all but the first start at random, on few objects
};

/// Throws InvalidArgument if no grouping of these nodes keeps the bounds and the conflicts
/// (null: none), or none is found. Cheap unless nodes stand for several objects or are in conflict.
void require_possible(std::size_t nodes, const SizeBounds& bounds, const Conflicts* conflicts);

/// Keeps the bounds and the conflicts of the problem even if stopped. `start` keeps the conflicts.
Solution bounded_search(const Problem& problem, const SizeBounds& bounds,
                        const std::vector<ClusterId>& start, const BoundedSearchOptions& options,
                        const Context& context);

/// Labels that keep the bounds, near `labels`, found without a problem.
std::vector<ClusterId> fit_to_bounds(const std::vector<ClusterId>& labels, const SizeBounds& bounds,
                                     const Conflicts* conflicts);

}  // namespace shiftcut

// What `auto` does. No one search is best everywhere: multilevel search is on graphs, random starts
// are at times for few clusters. So several starts, whose answers are combined on graphs
// (recombine.hpp), then changes of the best of them (perturb.hpp); the lowest cost wins. The work
// is bounded by the number of restarts; with a time limit it goes on until that.
#pragma once

#include "descent/restarts.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// `start`: labels to begin with as well, or none.
Solution portfolio(const Problem& problem, const SearchOptions& options,
                   const std::vector<ClusterId>& start, const Context& context);

}  // namespace shiftcut

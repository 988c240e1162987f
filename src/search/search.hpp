// The search a user asked for by name. `local-search` is the paper's: from random labels, sweeps in
// fresh random order, each object to its best cluster, until a sweep makes no move; restarts, of
// which the lowest cost wins. `auto` is a portfolio (portfolio.hpp).
#pragma once

#include "descent/restarts.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// The lowest cost found by options.method. Restart r draws from stream r of the seed. `start`
/// holds labels that `auto` begins with as well, or none. Stopped early, the best so far.
Solution search(const Problem& problem, const SearchOptions& options,
                const std::vector<ClusterId>& start, const Context& context);

}  // namespace shiftcut

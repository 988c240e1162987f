// The search a user selects by name. `local-search` is the paper's: from random labels, sweeps in
// fresh random order, each object to its best cluster, until a sweep makes no move; the lowest cost
// of all restarts wins. `auto` is a portfolio of several searches.
#pragma once

#include "descent/restarts.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// The lowest cost found by options.method. Restart r draws from stream r of the seed. `start`:
/// labels that `auto` starts from as well, or empty. If stopped early, the best so far.
Solution search(const Problem& problem, const SearchOptions& options,
                const std::vector<ClusterId>& start, const Context& context);

/// The search `auto`. No single search is best everywhere: multilevel search is on graphs, random
/// starts sometimes are for few clusters. So it makes several starts, recombines their solutions on
/// graphs, and perturbs the best; the lowest cost wins. The number of restarts bounds the work;
/// with a time limit the search continues until that.
Solution portfolio(const Problem& problem, const SearchOptions& options,
                   const std::vector<ClusterId>& start, const Context& context);

}  // namespace shiftcut

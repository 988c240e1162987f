// The search a user asked for by name, or a portfolio of them.
#pragma once

#include "search/local_search.hpp"

namespace shiftcut {

/// The lowest cost found by options.method. Stopped early, the best so far.
Found search(const Problem& problem, const SearchOptions& options, ThreadTeam& team,
             const Control& control, StopCheck& stop);

}  // namespace shiftcut

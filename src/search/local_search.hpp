// The paper's local search: from random labels, sweeps in fresh random order, each object to its
// best cluster, until a sweep makes no move; restarts, of which the lowest cost wins.
#pragma once

#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "problem/problem.hpp"
#include "search/descend.hpp"
#include "search/restarts.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// Restart r draws its start and its orders from stream r of the seed.
Found local_search(const Problem& problem, const SearchOptions& options, ThreadTeam& team,
                   const Control& control, StopCheck& stop);

}  // namespace shiftcut

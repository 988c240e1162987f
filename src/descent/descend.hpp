// One descent: sweeps in fresh random order, each object to its best cluster, until a sweep makes
// no move.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/partition.hpp"
#include "core/rng.hpp"
#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "problem/problem.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// For those who watch: how far it is, and the moves of the last sweep.
using AfterSweep = std::function<void(const Restart&, std::size_t moves)>;

/// From given labels, the orders drawn from `rng`: the building block of the searches, and what
/// tests compare with the plain loop. All of the returned Restart but `seconds` is filled in.
Restart descend(const Problem& problem, std::vector<ClusterId>& labels,
                std::optional<std::size_t> clusters, Rng& rng, ThreadTeam& team, StopCheck& stop,
                const AfterSweep& after_sweep = {});

}  // namespace shiftcut

// The paper's local search: from random labels, sweeps in fresh random order, each object to its
// best cluster, until a sweep makes no move; restarts, of which the lowest cost wins.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "core/rng.hpp"
#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "problem/problem.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

struct Found {
  std::vector<ClusterId> labels;
  double cost = 0;
  std::vector<Restart> restarts;  // those that ran, in order
};

/// Restart r draws its start and its orders from stream r of the seed. Small problems run whole
/// restarts side by side, large ones use all threads in each; neither changes the answer. Stopped
/// early it returns the best so far.
Found local_search(const Problem& problem, const SearchOptions& options, ThreadTeam& team,
                   const Control& control, StopCheck& stop);

/// One descent from given labels on the given order of random numbers: the building block, and what
/// tests compare with the plain loop. All of the returned Restart but `seconds` is filled in.
Restart descend(const Problem& problem, std::vector<ClusterId>& labels,
                std::optional<std::size_t> clusters, Rng& rng, ThreadTeam& team, StopCheck& stop,
                const std::function<void(const Restart&, std::size_t moves)>& after_sweep = {});

}  // namespace shiftcut

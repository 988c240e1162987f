// Where a cluster may have one object of a group, a better place is often taken: the object goes
// there and the one that has it leaves, which no move of a single object can do. Beside such pairs
// of moves, single ones.
#pragma once

#include <optional>
#include <vector>

#include "constraints/conflicts.hpp"
#include "constraints/one_per_cluster.hpp"
#include "core/partition.hpp"
#include "core/stop_check.hpp"
#include "problem/graph_problem.hpp"

namespace shiftcut {

/// Changes labels as long as that lowers the cost; only clusters that edges lead to are looked at,
/// empty ones, and for the object that leaves also the one that the other came from. `labels` keep
/// to the groups and to `apart`, which may be null, and still do afterwards. Returns whether
/// anything was changed. Sweeps in the order of the objects, each O(edges) where few are in the
/// way.
bool eject(const GraphProblem& problem, const OnePerCluster& groups, const Conflicts* conflicts,
           std::optional<std::size_t> clusters, std::vector<ClusterId>& labels, StopCheck& stop);

}  // namespace shiftcut

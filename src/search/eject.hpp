// Ejection moves for groups of which a cluster may hold one object. A better place is often taken:
// the object moves there and the one that holds the place is ejected, which no move of a single
// object can do. Single moves are tried as well.
#pragma once

#include <optional>
#include <vector>

#include "constraints/conflicts.hpp"
#include "constraints/one_per_cluster.hpp"
#include "core/partition.hpp"
#include "core/stop_check.hpp"
#include "problem/graph_problem.hpp"

namespace shiftcut {

/// Changes labels as long as that lowers the cost. Compared are clusters that edges lead to, an
/// empty one, and for the ejected object also the cluster that the other one came from. `labels`
/// satisfy the groups and `conflicts`, which may be null, and still do afterwards. Returns whether
/// anything changed. A sweep in the order of the objects takes O(edges) if few places are taken.
bool eject(const GraphProblem& problem, const OnePerCluster& groups, const Conflicts* conflicts,
           std::optional<std::size_t> clusters, std::vector<ClusterId>& labels, StopCheck& stop);

}  // namespace shiftcut

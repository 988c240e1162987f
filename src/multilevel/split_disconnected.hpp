// Clusters in several parts: a single move cannot take a group out of a cluster that it is no
// longer joined to, so the parts are looked for by themselves. (What Leiden guarantees: no cluster
// is disconnected. Traag, Waltman, van Eck 2019.)
#pragma once

#include <vector>

#include "core/partition.hpp"
#include "problem/graph_problem.hpp"

namespace shiftcut {

/// Two objects are of one part if a path of positive weights within their cluster joins them. Every
/// part that the shift drives from the rest of its cluster becomes a cluster of its own, of a new
/// number; with a constant shift above 0 that is all of them. Returns whether there was any, and
/// then the cost is lower. O(edges).
bool split_disconnected(const GraphProblem& problem, std::vector<ClusterId>& labels);

}  // namespace shiftcut

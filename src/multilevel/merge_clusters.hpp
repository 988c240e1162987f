// Greedy merging: from every node a cluster of its own down to at most K, each time the two
// clusters whose union costs least.
#pragma once

#include <cstddef>
#include <vector>

#include "core/partition.hpp"
#include "core/stop_check.hpp"
#include "multilevel/level.hpp"

namespace shiftcut {

/// What makes a pair a and b the one to merge, the largest first.
enum class MergeBy {
  cost,     // S(a, b): what the merge takes off the cost, by two
  average,  // S(a, b) / (|a| |b|): large clusters are not favoured
  balance,  // S(a, b) / min(|a|, |b|)
};

/// Labels 0 .. below K for the nodes. Merges that lower the cost go on below K with MergeBy::cost.
/// Pairs without an edge are merged as well: all are tried where clusters are few, else those that
/// are left when no edge is. O(m^2) for m nodes up to a few thousand, O(edges log^2) beyond.
std::vector<ClusterId> merge_clusters(const SparseLevel& level, std::size_t clusters, MergeBy by,
                                      StopCheck& stop);

}  // namespace shiftcut

// Cutting a spanning tree into clusters.
#pragma once

#include <span>
#include <vector>

#include "core/partition.hpp"
#include "multilevel/level.hpp"
#include "neighbors/spanning_tree.hpp"

namespace shiftcut {

/// Cuts edges, longest first, unless one side of its piece would weigh less than `least`; stops at
/// `clusters` pieces. `tree` has the longest edges first. Returns labels of the nodes. O(n K).
std::vector<ClusterId> cut_tree(std::span<const TreeEdge> tree, std::span<const Volume> nodes,
                                std::size_t clusters, double least);

}  // namespace shiftcut

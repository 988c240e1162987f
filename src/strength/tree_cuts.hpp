// Cutting a spanning tree into clusters.
#pragma once

#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "descent/restarts.hpp"
#include "multilevel/level.hpp"
#include "neighbors/trees/spanning_tree.hpp"
#include "strength/vote.hpp"

namespace shiftcut {

/// Cuts edges, longest first, unless one side of its piece would weigh less than `least`; stops at
/// `clusters` pieces. `tree` has the longest edges first. Returns labels of the nodes. O(n K).
std::vector<ClusterId> cut_tree(std::span<const TreeEdge> tree, std::span<const Volume> nodes,
                                std::size_t clusters, double least);

/// A tree for each of the reaches (tuning.hpp), of nodes that are groups of objects or, without
/// `groups`, the objects. If stopped, those that were finished.
std::vector<std::vector<TreeEdge>> spanning_trees(const NeighborDistances& distances,
                                                  std::span<const ClusterId> groups,
                                                  std::size_t nodes, const Context& context);

/// The cuts of all trees into pieces of several least sizes, each descended at strength 1, the
/// shift of `unit`; cut c draws from stream first + c, and is kept where the context has a name for
/// it.
std::vector<Voter> tree_voters(const std::vector<std::vector<TreeEdge>>& trees,
                               const SparseLevel& unit, std::size_t clusters,
                               const Streams& streams, const Context& context);

}  // namespace shiftcut

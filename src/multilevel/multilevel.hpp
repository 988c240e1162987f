// Multilevel search: coarsen by local moving and contraction until nothing moves; with K given,
// merge greedily to K clusters; then project the labels back down and refine them on every level.
//
// A second cycle starts from the solution of the first: nodes are contracted only within its
// clusters, so that the coarsest level represents it exactly. Every level contracts small groups,
// so that there are many levels, and refinement moves parts of clusters of every size. It never
// raises the cost. (Louvain: Blondel et al. 2008; small groups within clusters: Leiden, Traag,
// Waltman, van Eck 2019; V-cycles: Walshaw 2004.)
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "descent/restarts.hpp"
#include "multilevel/level.hpp"
#include "problem/problem.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// Whether there is a multilevel search for this kind of problem: graphs and matrices.
bool has_levels(const Problem& problem);

struct CycleOptions {
  std::optional<std::size_t> clusters;
  /// No cycle after one that lowered the cost by a smaller part of it or, if this is above 0, whose
  /// last refinement moved almost nothing.
  double least_gain = 0;
};

/// One cycle on a level of its own: labels of its nodes, below K or, with K free, below the number
/// of nodes. A local optimum as far as LocalMoving::sees_all_clusters.
std::vector<ClusterId> level_cycle(const SparseLevel& level, std::vector<ClusterId> labels,
                                   const CycleOptions& options, const Context& context);

/// One cycle, from `labels` if they are given (not empty), else from single objects; ends in a
/// single-move local optimum unless stopped. Fills in all of the Restart except `seconds`.
Restart multilevel_cycle(const Problem& problem, std::vector<ClusterId>& labels,
                         const CycleOptions& options, const Context& context);

/// A cycle from `labels` (empty: from single objects), then more from its solution, until one does
/// not lower the cost, gains too little, or there have been `most`.
Solution multilevel_cycles(const Problem& problem, std::vector<ClusterId> labels,
                           const CycleOptions& options, int most, const Context& context);

/// Moves single objects of a graph, K free, from `labels` to a local optimum unless stopped: as
/// descend(), on all threads. Labels are below the number of objects. `before`: those of a local
/// optimum that differ in few clusters, which saves visiting all objects; empty: unknown. Fills in
/// all of the Restart except `seconds`.
Restart settle(const Problem& problem, std::vector<ClusterId>& labels,
               std::span<const ClusterId> before, const Context& context);

/// The search by that name: cycles, at most as many as the restarts asked for. Features have no
/// levels: throws std::invalid_argument.
Solution multilevel(const Problem& problem, const SearchOptions& options, const Context& context);

/// Labels 0 .. below K for the nodes, by greedy merging; merges that lower the cost continue below
/// K. Pairs without an edge are merged too: all are tried if there are few clusters, else those
/// left over when no edge is. O(m^2) for m nodes up to a few thousand, O(edges log^2) beyond.
std::vector<ClusterId> merge_clusters(const SparseLevel& level, std::size_t clusters,
                                      StopCheck& stop);

/// Two objects are connected if a path of positive weights within their cluster joins them. Every
/// component that the shift drives away from the rest of its cluster becomes a cluster of its own,
/// with a new number; with a constant shift above 0 that is all of them. Returns whether there was
/// any; if so, the cost is lower. O(edges).
bool split_disconnected(const GraphProblem& problem, std::vector<ClusterId>& labels,
                        ThreadTeam& team);

}  // namespace shiftcut

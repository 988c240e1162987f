// Multilevel search: local moving from single objects, contraction of what came together into the
// nodes of a coarser level, again until nothing moves; with K given a greedy merge to K clusters;
// then back down, refining on every level.
//
// A second cycle starts from the answer of the first: objects may only come together within its
// clusters, so that on the coarsest level it stands as it was, and the way down refines it with
// other groups than before. It never raises the cost. (Louvain: Blondel et al. 2008; the refinement
// within clusters: Leiden, Traag, Waltman, van Eck 2019; V-cycles: Walshaw 2004.)
#pragma once

#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "descent/restarts.hpp"
#include "multilevel/level.hpp"
#include "multilevel/merge_clusters.hpp"
#include "problem/problem.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// Whether there is a multilevel search for problems of this kind: graphs and matrices.
bool has_levels(const Problem& problem);

struct CycleOptions {
  std::optional<std::size_t> clusters;
  MergeBy merge_by = MergeBy::cost;
  bool until_settled = false;  // no cycle after one whose way down moved next to nothing
};

/// One cycle on a level of its own: labels for its nodes, numbers below K or, with K free, below
/// the number of nodes. A local optimum as far as LocalMoving::can_see_all.
std::vector<ClusterId> cycle_of(const SparseLevel& level, std::vector<ClusterId> labels,
                                const CycleOptions& options, const Context& context);

/// One cycle, from `labels` where they are given (not empty), else from single objects; the answer
/// is a single-move local optimum unless stopped. All of the Restart but `seconds` is filled in.
Restart multilevel_cycle(const Problem& problem, std::vector<ClusterId>& labels,
                         const CycleOptions& options, const Context& context);

/// A cycle from `labels` (empty: from single objects), then others from what it found, until one
/// does not lower the cost (or, if so asked, is settled) or there have been `most`.
Solution cycles(const Problem& problem, std::vector<ClusterId> labels, const CycleOptions& options,
                int most, const Context& context);

/// The search by that name: cycles, at most as many as restarts are asked for. Features have no
/// levels: throws std::invalid_argument.
Solution multilevel(const Problem& problem, const SearchOptions& options, const Context& context);

}  // namespace shiftcut

// A neighbour's neighbour is often a neighbour (Dong, Moses, Li 2011: NN-descent).
#pragma once

#include "core/thread_team.hpp"
#include "neighbors/cells.hpp"
#include "neighbors/rough_lists.hpp"
#include "neighbors/search_progress.hpp"

namespace shiftcut {

/// One round: every row looks at the k nearest of each of its own k nearest and of the k nearest
/// that have it on their lists. New lists come from the old ones alone, so that the order of the
/// work does not matter. O(n k^2 d). Counts `part` a row towards `progress`.
RoughLists improved(const RoughLists& lists, const Cells& cells, std::size_t k, ThreadTeam& team,
                    SearchProgress& progress, std::size_t part);

}  // namespace shiftcut

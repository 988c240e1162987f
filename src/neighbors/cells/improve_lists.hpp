// A neighbour's neighbour is often a neighbour (Dong, Moses, Li 2011: NN-descent).
#pragma once

#include "core/thread_team.hpp"
#include "core/work_meter.hpp"
#include "neighbors/cells/cells.hpp"
#include "neighbors/cells/rough_lists.hpp"

namespace shiftcut {

/// Every row looks at the neighbours of its neighbours. Two rows are neighbours here if either is
/// among the first of the other's list; of those that have it on theirs, a row knows the nearest.
/// New lists come from the old ones alone, so that the order of the work does not matter. O(n d)
/// time with a factor of some hundred, 4 n bytes a thread. Counts `part` a row towards `progress`.
RoughLists improved(const RoughLists& lists, const Cells& cells, ThreadTeam& team, WorkMeter& meter,
                    std::size_t part);

}  // namespace shiftcut

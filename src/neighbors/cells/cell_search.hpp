// An approximate search for the nearest rows of every row. The rows are partitioned into cells
// (cells.hpp); each is compared with the rows of the cells around it (Jegou, Douze, Schmid 2011),
// as many cells as a sample of the rows needs, then with the neighbours of its neighbours (Dong,
// Moses, Li 2011) (rough_lists.hpp).
#pragma once

#include "core/thread_team.hpp"
#include "neighbors/list_writer.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut {

/// Writes the lists of all members of all groups: nearly all of the k nearest, in order, with their
/// exact distances. O(n^1.5 d) time, O(n (d + k)) memory. The same result for any number of
/// threads.
void cell_search(const FeatureRows& rows, const RowGroups& groups, std::size_t k,
                 const ListWriter& writer, ThreadTeam& team, const Control& control);

}  // namespace shiftcut

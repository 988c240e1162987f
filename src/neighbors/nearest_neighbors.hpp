// The k nearest neighbours of every row by Euclidean distance.
#pragma once

#include "core/thread_team.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "shiftcut/control.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

enum class NeighborSearch {
  automatic,  // all pairs where that takes seconds, else by cells
  all_pairs,  // exact
  by_cells,   // nearly all of the nearest, in about n^1.5 d
};

/// Every row gets min(k, n - 1) neighbours (k of 1 or more). Of equal rows a list holds
/// most_copies() (list_writer.hpp), the rest of it others. The same answer for any number of
/// threads. Throws Interrupted if told to stop.
NeighborLists nearest_neighbors(const FeatureRows& rows, std::size_t k, ThreadTeam& team,
                                const Control& control,
                                NeighborSearch search = NeighborSearch::automatic);

}  // namespace shiftcut

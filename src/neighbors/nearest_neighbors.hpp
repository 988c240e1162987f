// The k nearest neighbours of every row by Euclidean distance: all pairs compared, or cells
// searched.
//
// Equal rows are grouped first (row_groups.hpp), the distinct rows scaled and packed
// (packed_rows.hpp), searched (exact_search.hpp, cells/cell_search.hpp), and the members' lists
// written (list_writer.hpp).
#pragma once

#include "core/thread_team.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "shiftcut/control.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

enum class NeighborSearch {
  automatic,  // all pairs if that takes seconds, else cells
  all_pairs,  // exact
  by_cells,   // nearly all of the nearest, in O(n^1.5 d)
};

/// Every row gets min(k, n - 1) neighbours (k of 1 or more), at most most_copies()
/// (list_writer.hpp) of them with equal rows. The same result for any number of threads. Throws
/// Interrupted on a request to stop.
NeighborLists nearest_neighbors(const FeatureRows& rows, std::size_t k, ThreadTeam& team,
                                const Control& control,
                                NeighborSearch search = NeighborSearch::automatic);

/// The same by another metric, all pairs compared. `rows` are unit rows for cosine and correlation
/// (FeatureRows::for_metric), which are searched as above.
/// Of more than `region_rows` rows, or the default for 0, region by region (regions/regions.hpp).
NeighborLists nearest_neighbors(const FeatureRows& rows, Metric metric, std::size_t k,
                                ThreadTeam& team, const Control& control,
                                std::size_t region_rows = 0);

}  // namespace shiftcut

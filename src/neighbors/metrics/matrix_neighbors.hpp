// The nearest neighbours in a given matrix of distances or similarities.
#pragma once

#include "core/thread_team.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

/// The min(k, n - 1) objects with the smallest distances, or the largest similarities, to each. Of
/// those at distance 0 at most most_copies() (list_writer.hpp), unless there are no others. The
/// squared distances of similarities are those below the largest, for the order only. O(n^2).
NeighborLists matrix_neighbors(const DenseArray& matrix, bool are_distances, std::size_t k,
                               ThreadTeam& team);

/// The same for new objects, each row of `matrix` its distances from (or similarities to) all old
/// ones; of equally near ones the lowest number first.
NeighborLists nearest_in_rows(const DenseArray& matrix, bool are_distances, std::size_t k,
                              ThreadTeam& team);

}  // namespace shiftcut

// The k nearest neighbours of sparse rows by the angle between them.
#pragma once

#include "core/thread_team.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

/// Exact. The squared distance is that of the rows scaled to unit length, 2 (1 - cosine). Only rows
/// with a positive cosine are neighbours, so a list may be shorter than k; a zero row has no
/// neighbours and is nobody's neighbour. Time: the sum over columns of the square of their entries.
/// Throws Interrupted on a request to stop.
NeighborLists cosine_neighbors(const SparseMatrix& rows, std::size_t k, ThreadTeam& team,
                               const Control& control);

}  // namespace shiftcut

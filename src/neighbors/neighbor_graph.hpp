// A graph of neighbours: two objects are joined where either is among the other's nearest.
#pragma once

#include "core/thread_team.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// Symmetric, without self loops. The weight of an edge (i, j):
///   shared    |A & B| / |A u B|, A the neighbours of i and i itself, B those of j (Jarvis, Patrick
///             1973; as Jaccard overlap: Levine et al. 2015); above 0, as both hold i or both j
///   binary    1
///   gaussian  exp(-d_ij^2 / (s_i s_j)), s the distance to the last neighbour (Zelnik-Manor, Perona
///             2004). Where all neighbours of i equal it, s_i is 0 and the other end's s counts for
///             both; equal rows get 1.
/// O(n k^2) time at most, O(n k) memory.
SparseMatrix neighbor_graph(const NeighborLists& lists, Weights weights, ThreadTeam& team);

}  // namespace shiftcut

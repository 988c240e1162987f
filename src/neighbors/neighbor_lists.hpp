// The nearest neighbours of every object, and the graph of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// Fills the list of an object that has fewer than k neighbours.
inline constexpr ObjectId kNoNeighbor = kNobody;

/// How many neighbours each of n objects gets. `asked` 0 means the default: 10, or a quarter of the
/// objects if there are few, but three if that is no more than half of them. Where rows `repeat`,
/// half of the distinct ones: these are places of a scale more than points of a cloud.
inline std::size_t neighbors_for(std::size_t asked, std::size_t n, bool repeat = false) {
  constexpr std::size_t kDefault = 10;
  const std::size_t few = repeat ? n / 2 : std::max(n / 4, std::min<std::size_t>(n / 2, 3));
  return asked > 0 ? asked : std::clamp<std::size_t>(few, 1, kDefault);
}

/// The k nearest others of each of n objects, nearest first. Ties are broken by (j - i) mod n,
/// counting up from i and around: equal rows are then linked in a ring, not in a star around the
/// first of them.
struct NeighborLists {
  std::size_t n = 0;
  std::size_t k = 0;
  std::vector<ObjectId> ids;    // n * k, kNoNeighbor at the end of short lists
  std::vector<double> squared;  // distances; infinite at the end of short lists

  NeighborLists(std::size_t objects, std::size_t neighbors)
      : n(objects),
        k(neighbors),
        ids(objects * neighbors, kNoNeighbor),
        squared(objects * neighbors, std::numeric_limits<double>::infinity()) {}

  /// The neighbours object i has.
  [[nodiscard]] std::span<const ObjectId> of(std::size_t i) const {
    std::size_t count = k;
    while (count > 0 && ids[i * k + count - 1] == kNoNeighbor) {
      --count;
    }
    return std::span(ids).subspan(i * k, count);
  }
};

/// (j - i) mod n, which breaks ties between equal distances.
inline ObjectId steps_from(std::size_t i, ObjectId j, std::size_t n) {
  return static_cast<ObjectId>(j > i ? j - i : j + n - i);
}

/// The graph that joins two objects if either is among the nearest of the other. Symmetric, without
/// self loops. The weight of an edge (i, j):
///   shared    |A & B| / |A u B|, A the neighbours of i and i itself, B those of j (Jarvis, Patrick
///             1973; as Jaccard overlap: Levine et al. 2015); above 0, as both hold i or both j
///   binary    1
///   gaussian  exp(-d_ij^2 / (s_i s_j)), s the distance to the last neighbour (Zelnik-Manor, Perona
///             2004). If all neighbours of i have equal rows, s_i is 0 and the s of the other end
///             counts for both; an edge between equal rows has weight 1.
/// O(n k^2) time at most, O(n k) memory.
SparseMatrix neighbor_graph(const NeighborLists& lists, Weights weights, ThreadTeam& team);

/// The lists a run kept, with distances of 0 where it kept none.
inline NeighborLists lists_of(NeighborTable kept) {
  NeighborLists lists(0, kept.places);
  lists.n = kept.objects;
  lists.ids = std::move(kept.ids);
  lists.squared = std::move(kept.squared);
  lists.squared.resize(lists.ids.size(), 0.0);
  return lists;
}

}  // namespace shiftcut

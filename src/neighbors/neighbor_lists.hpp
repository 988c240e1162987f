// The nearest neighbours of every object.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "shiftcut/neighbors.hpp"

namespace shiftcut {

/// Stands behind the last neighbour of an object that has fewer than k.
inline constexpr ObjectId kNoNeighbor = kNobody;

/// How many neighbours each of n objects is joined to, where `asked` 0 leaves it open: 10, or half
/// of the objects where they are few.
inline std::size_t neighbors_for(std::size_t asked, std::size_t n) {
  constexpr std::size_t kUsual = 10;
  return asked > 0 ? asked : std::clamp<std::size_t>(n / 2, 1, kUsual);
}

/// Of n objects the k nearest others each, nearest first. Of others at the same distance from i
/// those come first that follow i when counting up and round, (j - i) mod n: a heap of equal rows
/// then becomes a ring of links, not a star around its first members.
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

/// The lists a run kept, with distances of 0 where it kept none.
inline NeighborLists lists_of(const NeighborTable& kept) {
  NeighborLists lists(0, kept.places);
  lists.n = kept.objects;
  lists.ids = kept.ids;
  lists.squared = kept.squared;
  lists.squared.resize(kept.ids.size(), 0.0);
  return lists;
}

/// How far j stands behind i, counting up and round: what decides between equal distances.
inline ObjectId steps_from(std::size_t i, ObjectId j, std::size_t n) {
  return static_cast<ObjectId>(j > i ? j - i : j + n - i);
}

}  // namespace shiftcut

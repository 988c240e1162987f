// The tuning numbers of this room.
#pragma once

#include <cstddef>

namespace shiftcut::sizes_tuning {

// Packing (packing.cpp): steps after which it gives up, a second or two.
inline constexpr std::size_t kMostPackingSteps = 5'000'000;
inline constexpr std::size_t kPackingStepsPerNode = 50;
/// Numbers of clusters tried with K free.
inline constexpr std::size_t kMostNumbersTried = 64;

// Swaps (bounded_state.hpp). Up to this many clusters of a graph, swaps between all pairs of
// clusters are tried, beyond only between clusters that an edge joins.
inline constexpr std::size_t kAllPairsOfClusters = 64;

// Bounded search (bounded_search.cpp). Random starts take part up to this many objects, which
// bounds their time: each sweeps over all objects several times.
inline constexpr std::size_t kObjectsForRandomStarts = 2000;
/// Up to the first number of objects, restarts are multiplied by the second: each takes
/// microseconds.
inline constexpr std::size_t kFewObjects = 100;
inline constexpr std::size_t kStartsOnFew = 4;
/// Rounds of moves and swaps after sums are recomputed, at most: they only undo rounding.
inline constexpr int kMostRounds = 1000;

}  // namespace shiftcut::sizes_tuning

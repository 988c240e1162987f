// The numbers that bound what the explorer shows and asks for at once.
#pragma once

#include <cstddef>

namespace shiftcut::explore_tuning {

// Bytes of a name or a cell of a pair, and of a cell in the table of a selection.
inline constexpr std::size_t kMostText = 2000;
inline constexpr std::size_t kMostCellText = 300;
// Rows and columns of the table of a selection that are sent at once.
inline constexpr std::size_t kMostRows = 200;
inline constexpr std::size_t kMostColumns = 100;
inline constexpr std::size_t kMostMatches = 50;
// The largest clusters, which are listed.
inline constexpr std::size_t kMostClusters = 2000;
// Objects that changed cluster, listed one by one; beyond them the page asks for all labels.
inline constexpr std::size_t kMostChanged = 20'000;

// ---- Teaching ----

// Objects of a selection that is split off or moved.
inline constexpr std::size_t kMostSelected = 20'000;
// Links that one action may make: the file of answers is written whole after each. Merging halves
// of a million objects under the linear similarity took more than 20,000.
inline constexpr std::size_t kMostLinks = 200'000;
// Two clusters are merged by links between part of the smaller one and the larger one: this part
// first, then twice as much. The search merges the rest as soon as that costs less than parting the
// smaller one. On ten clusters of 10,000 rows the first part is enough.
inline constexpr double kFirstPartMerged = 1.0 / 16;
// Links of an object to typical members of a cluster: this many, then four times as many.
inline constexpr std::size_t kFirstMembers = 1;
inline constexpr std::size_t kMoreMembers = 4;
inline constexpr std::size_t kPins = 3;

}  // namespace shiftcut::explore_tuning

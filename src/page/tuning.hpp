// The numbers of the page: how much of large data it shows. 20,000 objects (PageOptions) are half a
// megabyte of JSON and drawn in 60 ms.
#pragma once

#include <cstddef>

namespace shiftcut::page_tuning {

// Letters of a name; what is cut off is shown as an ellipsis.
inline constexpr std::size_t kLongestName = 120;
inline constexpr std::size_t kLongestCommand = 4000;
// Clusters with a size of their own; the others are counted together.
inline constexpr std::size_t kMostSizes = 500;
// The same at each strength of the path.
inline constexpr std::size_t kMostSizesOnPath = 12;
// At most this part of the objects drawn is spent on showing one object of every cluster.
inline constexpr double kShareForSmallClusters = 0.5;

// Clusters described one by one.
inline constexpr std::size_t kMostCards = 40;
// Rows of a table are described all up to this number: it takes another search for neighbours.
inline constexpr std::size_t kMostDescribed = 100'000;

// ---- The map ----

// Of tables of more rows than this, the drawn rows alone are laid out: a layout takes 20 s per
// 100,000 objects on two cores. Graphs are always laid out whole.
inline constexpr std::size_t kMostPlaced = 100'000;
// Of a table of one column, the other direction is random, as wide as this part of the column.
inline constexpr double kJitter = 0.12;
// Positions are whole numbers from 0 to this: finer than the points of any screen.
inline constexpr int kGrid = 10'000;

// ---- Standings and blocks ----

// Numbers read to judge all objects; where there are more, the drawn ones are judged: 2 s.
inline constexpr double kMostWork = 2e9;
// On graphs with more clusters, objects are judged for those that they have neighbours in.
inline constexpr std::size_t kFewClusters = 256;
// Classes, and clusters, of the table that compares them.
inline constexpr std::size_t kMostClasses = 30;
// Objects are between clusters from this part of their own affinity on.
inline constexpr double kBetween = 0.5;
// Objects listed as between clusters, and as outliers.
inline constexpr std::size_t kMostListed = 25;
// Outliers have less than this part of the median affinity to their cluster, of one with at least
// this many objects.
inline constexpr double kOutlying = 0.25;
inline constexpr std::size_t kFewMembers = 5;
// The matrix of similarities has at most this many rows, and shows this many clusters; each of its
// rows is a mean over this many objects (all, if there are fewer).
inline constexpr std::size_t kMostBlocks = 120;
inline constexpr std::size_t kMostBlockClusters = 40;
inline constexpr std::size_t kNodesPerBlock = 200;

}  // namespace shiftcut::page_tuning

// The tuning constants of the neighbour searches, with their reasons. Recall and time of both
// searches: build/bench/neighbors.
#pragma once

#include <cstddef>

namespace shiftcut {

// Which search.

/// Multiplications that comparing all pairs may take: two or three seconds on two cores. Beyond
/// that the rows are searched by cells.
inline constexpr double kMostExactProducts = 1.5e11;

/// What comparing a pair takes besides its products, in products: 200,000 rows of 2 columns take
/// 3.9 s by all pairs and 1.0 s by cells, with a recall of 1.
inline constexpr double kProductsPerPair = 16;

/// Terms that comparing all pairs by another metric may take. At 2 to 3e9 a second on a core
/// (Manhattan, AVX2), about an hour on two; beyond that the search is refused.
inline constexpr double kMostMetricTerms = 2e13;

// Regions: what they find, and how often rows are searched, is measured by bench/region_recall.py.

/// Rows that are searched at once, and their numbers: about 1 GB. Beyond that they are divided into
/// regions.
inline constexpr std::size_t kMostRowsAtOnce = std::size_t{1} << 20;
inline constexpr std::size_t kMostNumbersAtOnce = std::size_t{1} << 27;

/// Cells that a region is joined from, and the nearest centres whose regions a row belongs to.
inline constexpr std::size_t kCellsPerRegion = 64;
inline constexpr std::size_t kRegionProbes = 4;

// How work is divided. None of these changes a result.

/// Rows per task of loops with little work per row.
inline constexpr std::size_t kRowsPerTask = 1024;

/// Rows of a given matrix per task: each is as long as there are objects.
inline constexpr std::size_t kMatrixRowsPerTask = 16;

/// Queries that share a pass over all rows in the exact search: their products with a block of
/// PackedRows::kBlock rows stay in the cache.
inline constexpr std::size_t kQueries = 192;

/// Sparse rows per task of the cosine search.
inline constexpr std::size_t kRowsTogether = 64;

/// Queries that share a pass over all rows in the search by other metrics, and the rows packed
/// together: scaling and packing a row is then little beside comparing it.
inline constexpr std::size_t kMetricQueries = 48;
inline constexpr std::size_t kComparedTogether = 256;

/// Rows that are assigned to centres, or look at a cell, together: enough for the product of
/// matrices to be fast, and few enough for their scores to stay in the cache.
inline constexpr std::size_t kAssignedTogether = 96;
inline constexpr std::size_t kProbedTogether = 96;
inline constexpr std::size_t kCentresPacked = 256;
inline constexpr std::size_t kSampledTogether = 20;

/// Every eighth score of the cells is sampled to bound those of the nearest ones: selecting them
/// from all took 10% of the time of a run on 1,000,000 x 32.
inline constexpr std::size_t kSampledScore = 8;

/// Parts of the lists that are read backwards side by side; each needs a counter per object.
inline constexpr std::size_t kReversedParts = 8;

/// What a row counts towards progress in each step of the search by cells, by about the time it
/// takes.
inline constexpr std::size_t kAssignWork = 1;
inline constexpr std::size_t kProbeWork = 4;
inline constexpr std::size_t kImproveWork = 2;

// How exact the results are.

/// Candidates beyond k that the cosine search measures again in full, so that rounding in the sums
/// of products cannot lose a neighbour.
inline constexpr std::size_t kSpare = 8;

/// Rows by which the median of the columns is estimated. It only has to lie near the bulk of the
/// rows.
inline constexpr std::size_t kMedianSample = 1001;

/// Centres of the cells: steps of k-means, on this many sampled rows per centre. Cells need not be
/// optimal, only compact.
inline constexpr int kMeansSteps = 4;
inline constexpr std::size_t kSampledPerCentre = 32;

/// The part of the nearest neighbours that looking at cells must find, measured on this many rows.
/// The neighbours of neighbours then supply two thirds of those still missing, or more.
inline constexpr double kProbedRecall = 0.97;
inline constexpr std::size_t kRecallSample = 400;

/// Times sqrt(n): the most rows that a row is compared with, whatever the recall. Keeps the search
/// at O(n^1.5 d) where the data has no clusters.
inline constexpr double kProbeBudget = 100;

/// Times the length of a list: the fewest rows that a row is compared with.
inline constexpr std::size_t kLeastCompared = 4;

/// Relative error of distances between centres, with a margin.
inline constexpr double kDistanceMargin = 1e-4;

/// Of a row's list, the nearest three quarters are asked for their neighbours, within these bounds:
/// the time grows with the square of the number.
inline constexpr std::size_t kLeastPeers = 8;
inline constexpr std::size_t kMostPeers = 20;

// Spanning trees.

/// Parts of the edges that are sorted side by side.
inline constexpr std::size_t kSortedParts = 16;

/// Components of the neighbour graph are joined through this many of their objects at most, and by
/// comparing about this many pairs per round: a fraction of a second.
inline constexpr std::size_t kMostJoinMembers = 200;
inline constexpr std::size_t kMostJoinPairs = 30'000'000;

/// Numbers of rows that are packed at once to join components: 64 MB.
inline constexpr std::size_t kNumbersLinkedTogether = std::size_t{1} << 24;

}  // namespace shiftcut

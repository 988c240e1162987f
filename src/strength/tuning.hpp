// The tuning numbers of this room.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace shiftcut {

// The path
// -----------------------------------------------------------------------------------------

/// Streams of random numbers from here on; the searches use the first ones.
inline constexpr std::uint64_t kPathStream = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kStreamsPerVote = 1024;
/// Strengths with K given: from 4 down by factors of 2 to 0.0005. Stopping at 0.002 costs 0.03 of
/// the mean adjusted Rand index over 73 labelled problems.
inline constexpr std::size_t kStepsWithK = 14;
/// Strengths with K free: from 8 down by factors of sqrt(2) to 0.0007.
inline constexpr std::size_t kStepsFree = 28;
/// Rounds in which every strength also starts from the solutions of its neighbours.
inline constexpr std::size_t kNeighborRounds = 2;
/// The strength taken with K free where no number of clusters lasts.
inline constexpr double kStrengthWithoutPlateau = 0.25;
/// Edges up to which every strength gets three starts instead of one.
inline constexpr std::size_t kEdgesForMoreStarts = std::size_t{1} << 15;
/// On given graphs the path goes on to stronger shifts, this many at a time, until the selected one
/// is none of the two strongest, and no further than this strength: graphs may have clusters of a
/// few objects out of a million.
inline constexpr std::size_t kStepsAtATime = 4;
inline constexpr double kStrongest = 1024;
/// Strengths on given graphs with K given: from 4 down by factors of sqrt(2) to 0.011.
inline constexpr std::size_t kStepsOnGraphs = 18;
/// A graph that is contracted again keeps at least this many nodes for each of the clusters asked
/// for.
inline constexpr std::size_t kNodesPerCluster = 20;
/// It is contracted again only if that removes at least one node in four.
inline constexpr std::size_t kLeastShrunk = 4;
/// Given graphs are contracted for the path only beyond this multiple of the edges: their clusters
/// may be smaller than what the contraction joins (LFR, mixing 0.4, 426 clusters asked for: AMI .26
/// or .29).
inline constexpr std::size_t kMoreEdgesIfGiven = 8;
inline constexpr std::size_t kMoreEdgesAgainIfGiven = 32;
/// How much of the labels' entropy counts against surprise. With 0.5 or less, clusters are too many
/// on LFR graphs of mean degree 4 (mixing 0.2 and 0.4: AMI .937 and .287; with 0.7 or 0.8 .943 and
/// .305); with 1, weak structure (0.4) is none.
inline constexpr double kLabelCost = 0.7;
/// Conductances below this count as equally good.
inline constexpr double kLeastConductance = 1e-3;
/// How much clusters that were asked for and not found count against a strength.
inline constexpr double kMissingWeight = 10;

// The vote
// -----------------------------------------------------------------------------------------

/// Up to this many distinct rows, twice the usual neighbours, and from this many copies of each on
/// average, distinct rows are the clusters with K free. Without this, 1 of 12 random tables of five
/// cities (500 rows) gave five clusters.
inline constexpr std::size_t kFewDistinctRows = 20;
inline constexpr double kCopiesOfFewRows = 10;
/// Rows from which the spread of the data is estimated: as many pairs of them are compared.
inline constexpr std::size_t kSpreadSample = 400;
/// Curves in space count as structure: only a single column has fewer dimensions.
inline constexpr double kLeastDimension = 2;
/// Neighbours that an object's core distance reaches to, one spanning tree for each.
inline constexpr std::array<std::size_t, 3> kReaches = {1, 5, 10};
/// The weight of all trees together, that of the path being 1: 1.1 gains 0.005 over 1 on both
/// halves of 160 problems; half of it loses 0.03.
inline constexpr double kTreeWeight = 1.1;
/// Least sizes of the pieces a tree is cut into, as parts of n / K. Without the smallest the mean
/// falls by 0.02.
inline constexpr std::array<double, 4> kLeastPieces = {0.05, 0.1, 0.25, 0.5};
/// Lasting clusters are taken to be uneven below this evenness. On 24 problems of one large and up
/// to three small groups this takes the mean adjusted Rand index from .17 to 1; with 1 instead of
/// .5, the mean of half of the problems of table V falls by .003.
inline constexpr double kUneven = 0.5;
/// Partitions that are this similar (adjusted Rand index) count as the same solution.
inline constexpr double kAgrees = 0.9;
/// Numbers of clusters that differ by less than this part last together, in part: 28 problems of 20
/// to 100 clusters go from a mean adjusted Rand index of .80 to .90.
inline constexpr double kNearNumber = 0.1;
/// Numbers of clusters that are judged by a vote with K free.
inline constexpr std::size_t kJudgedPlateaus = 5;
/// Distinct objects up to which a wide gap between them decides: there plateaus are of noise.
inline constexpr std::size_t kFewObjects = 40;
/// Distinct objects up to which, if all of them repeat, each is a cluster.
inline constexpr std::size_t kMostPoints = 8;

// The hierarchy
// ------------------------------------------------------------------------------------------

/// Strengths above and below that of the grouping, by factors of sqrt(2), whose solutions guide the
/// hierarchy: from 32 times to a 32nd.
inline constexpr std::size_t kGuidesEachSide = 10;

}  // namespace shiftcut

// The tuning numbers of this room: what `auto` spends its restarts on. More of anything lowers the
// cost and takes longer; the plan for r restarts takes about as long as r restarts of local search.
#pragma once

#include <cstddef>

namespace shiftcut {

// The portfolio -----------------------------------------------------------------------------------

/// Edges above which a graph gets one multilevel start, whatever the restarts.
inline constexpr std::size_t kLargeGraphEdges = std::size_t{1} << 20;
/// Multilevel cycles of that start: as long as one lowers the cost by such a part of it. On graphs
/// with heavy-tailed degrees the second gains .1 to 1%, the third about a third of that.
inline constexpr int kMostCycles = 10;
inline constexpr double kGainOfCycle = 1e-3;
/// The same with K free and no more starts to come: two cycles mostly reach what two iterations of
/// igraph's Leiden reach, and those that need a third have a second that gains this much (chosen on
/// three graphs of 1 to 2 million edges, five shifts).
inline constexpr double kGainOfFirstCycle = 2e-3;
/// The same with a time limit and K free, before something else is tried.
inline constexpr double kGainOfLastCycle = 1e-4;
/// New starts of a round, with a time limit and K free.
inline constexpr std::size_t kStartsPerRound = 4;
/// Edges up to which a start takes milliseconds: all starts are made even if the first two agree.
inline constexpr std::size_t kQuickGraphEdges = std::size_t{1} << 17;
/// Clusters so few that a sweep, and with it a restart, is quick.
inline constexpr std::size_t kFewClusters = 4;
/// Nodes up to which a graph gets the full plan, and more cycles, even for few clusters: it takes
/// milliseconds, and otherwise one planted graph in 144 ends 7% above multilevel search alone.
inline constexpr std::size_t kSmallGraph = 400;
/// Objects up to which the sample of the coarse starts is all of them.
inline constexpr std::size_t kSampleAll = 800;
/// Objects up to which a perturbation of the sample takes microseconds.
inline constexpr std::size_t kQuickSample = 512;
/// Objects up to which local moving on a full matrix is affordable.
inline constexpr std::size_t kMostDenseLevel = 4096;
/// Restarts beyond which no more is done.
inline constexpr int kMostRestarts = 100'000;
/// Multilevel solutions kept for recombination. Without recombination the cost of ten restarts is
/// not reached with eighty (nine graphs, eight seeds).
inline constexpr std::size_t kMostStarts = 32;
/// Relative difference up to which two costs count as the same.
inline constexpr double kSameCost = 1e-6;
/// Rounds without improvement that end a search before its time limit.
inline constexpr std::size_t kPatience = 100;
/// With a time limit, a round in so many makes new starts; the others perturb.
inline constexpr std::size_t kRoundsPerStart = 4;

// Coarse starts -----------------------------------------------------------------------------------
// Without them the cost of ten restarts takes 2.1 times as long (twelve tables, eight seeds).

/// The sample is an eighth of the objects within these bounds, and at least eight per cluster.
inline constexpr std::size_t kLeastSample = 256;
inline constexpr std::size_t kMostSample = 768;
/// Cells the sample falls into; more if there are many clusters.
inline constexpr std::size_t kMostCells = 64;
inline constexpr int kCellRestarts = 10;
/// Clusters a sample can show, and those used with K free.
inline constexpr std::size_t kMostSampleClusters = 128;
inline constexpr std::size_t kFreeSampleClusters = 32;
/// One attempt in so many starts from random labels instead of cells.
inline constexpr std::size_t kRandomEvery = 4;
inline constexpr std::size_t kObjectsPerTask = 256;

// Groups of which no two objects share a cluster --------------------------------------------------

/// The first rounds may be searched from scratch, where more than one node in a hundred clashes;
/// later ones start from the labels of the round before.
inline constexpr int kRoundsFromScratch = 4;
inline constexpr std::size_t kManyClashing = 100;
/// From then on a round may add this many conflicts beyond those that clash, to end soon.
inline constexpr std::size_t kFurtherConflicts = 200'000;
inline constexpr int kMostRounds = 50;
/// Conflicts at most, about 1 GB.
inline constexpr std::size_t kMostConflicts = 50'000'000;

// Perturbation and ejection -----------------------------------------------------------------------

/// Random draws of a node with a neighbour in another cluster before a trial gives up.
inline constexpr std::size_t kBorderDraws = 16;
/// Sweeps of ejections at most; a handful is usual.
inline constexpr int kMostEjectionSweeps = 100;

}  // namespace shiftcut

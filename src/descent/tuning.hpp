// The tuning constants of this room. None of them changes what a descent may return, except those
// of sweep orders and random starts; the others trade one cost for another.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shiftcut::descent_tuning {

// Convergence (descend.cpp). Every move lowers the cost, so both checks only catch broken input: a
// matrix symmetric only up to its last digits may cycle for ever, and a cost that has overflowed
// never converges.
inline constexpr int kCheckCostEvery = 200;  // sweeps: far more than a descent normally takes
inline constexpr int kFirstFiniteCheck = 8;  // sweeps; then after every power of two
/// A watched descent computes its cost, a pass over the data, at most once in this many seconds.
inline constexpr double kCostReportSeconds = 1;

// Sweep orders (sweep_order.cpp). Labels depend on these.
inline constexpr std::size_t kLargestShuffle = 8192;  // ids of so many objects stay in the L1 cache
inline constexpr std::size_t kLargestShortRuns = std::size_t{1} << 18;
inline constexpr std::size_t kShortRun = 16;  // objects: one cache line of labels or slacks
inline constexpr std::size_t kLongRun = 64;   // four lines, still one bit mask per run
/// Objects between two looks at the clock, which cost nothing beside judging them.
inline constexpr std::size_t kStopCheckEvery = 256;

// Restarts (restarts.cpp). Labels depend on the first two.
inline constexpr std::uint32_t kMinRandomClusters = 2;  // where K is free and the view is no graph
inline constexpr std::uint32_t kMaxRandomClusters = 20;
/// Up to this many numbers, restarts share one copy of the features in the cache, and running them
/// side by side always pays.
inline constexpr std::size_t kSmallFeatures = std::size_t{1} << 22;
/// Beyond, every lane keeps about 16 numbers per object (labels, slacks, runs): as many lanes as
/// keep that below the features themselves.
inline constexpr std::size_t kNumbersPerLane = 16;
inline constexpr std::size_t kMaxLanes = 64;

// Matrices (dense_state.cpp).
inline constexpr std::size_t kDenseBatch = 64;         // objects whose moves are applied together
inline constexpr std::size_t kDenseStrip = 2048;       // columns per task: 16 KiB, half an L1 cache
inline constexpr std::size_t kWorthThreads = 1 << 16;  // additions: more work than waking a team

// Graphs (graph_state.cpp). Up to this many clusters are simply all tried: FarClusters takes a tree
// operation per move, which only pays where there are many.
inline constexpr std::size_t kScanAtMost = 64;

// Features (gram_state.cpp). A batch copies the clusters' vectors, and objects whose slack runs out
// within it are judged a second time: few batches mean many second judgements.
inline constexpr std::size_t kMaxBatches = 256;
inline constexpr std::size_t kMinBatchSize = 256;  // objects
/// At most n / (40 K) batches: their copies take 1/40 of the memory of the rows in double
/// precision.
inline constexpr std::size_t kRowsPerBatchCopy = 40;
/// A batch costs about as much as 64 judgements in double precision.
inline constexpr double kBatchCost = 64;
/// The first sweep starts from random labels; later ones judge about an eighth as many again.
inline constexpr double kFirstSweepRejudged = 8;
/// Proposals are listed for slacks up to this multiple of the last batch's drift.
inline constexpr double kSlackMargin = 1.5;
inline constexpr std::size_t kTasksPerBatch = 8;   // for threads to share, within these limits:
inline constexpr std::size_t kMinTask = 48;        // objects: eight tiles of six rows
inline constexpr std::size_t kMaxTask = 1024;      // objects: their products stay in the L2 cache
inline constexpr std::size_t kRunsAhead = 4;       // prefetch distances: memory latency over the
inline constexpr std::size_t kProposalsAhead = 8;  // time one of them takes
/// Moves of a cluster between two exact measurements of its drift. A measurement costs as much as a
/// move; in between, the drift is bounded by the sum of the steps.
inline constexpr std::uint32_t kMeasureDriftEvery = 8;

}  // namespace shiftcut::descent_tuning

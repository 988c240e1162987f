// The numbers of the pipeline: how much work is spent on second searches, and on the grouping of a
// sample where time runs out.
#pragma once

#include <cstddef>
#include <cstdint>

namespace shiftcut::run_tuning {

// ---- Searching again ----

// Graphs of up to this many edges are searched from scratch after an answer: it takes well under a
// second, and finds what a search from the old labels would miss.
inline constexpr std::size_t kQuickEdges = 200'000;
// Restarts for each of the two groupings that learned weights are judged by: these are compared
// with each other, not with the best that can be found.
inline constexpr int kJudgingRestarts = 3;
// Attempts without a lower cost that end a search under groups before its time limit.
inline constexpr int kFruitlessAttempts = 20;
inline constexpr std::uint64_t kAgainStream = std::uint64_t{1} << 41;  // of random numbers

// ---- Warnings ----

// Above this criterion of the path (mean conductance of the clusters over their evenness) the
// clusters count as poorly separated.
inline constexpr double kPoorSeparation = 0.25;
// Objects are contested if fewer than this share of the voters put them where they are; the list of
// them has this length at most.
inline constexpr float kContested = 0.5F;
inline constexpr std::size_t kMostContested = 100;
// With fewer objects a path over strengths says little.
inline constexpr std::size_t kFewObjects = 20;

// ---- The grouping of a sample ----

inline constexpr std::size_t kLeastSampledRows = 1000;  // grouping them takes less than 0.1 s
inline constexpr std::size_t kSampledPerCluster = 5;
inline constexpr std::size_t kMostSampledRows = 4000;
// Multiplications of all rows with the centres of the sample's clusters: about 0.1 s.
inline constexpr double kMostProducts = 5e9;
inline constexpr std::size_t kLeastCentres = 64;
inline constexpr int kCentreSteps = 3;  // of k-means within a cluster
inline constexpr std::size_t kRowsPerSampleTask = 96;
// Larger samples follow while one is expected to take at most this share of the time left: the
// larger share where the whole data would most likely take longer than that. The growth
// from one to the next lies between two factors, and ends at this part of all rows: beyond that the
// whole data take hardly longer. The time to group a sample grows with its size to this power.
inline constexpr double kShareForSamples = 0.1;
inline constexpr double kShareIfHopeless = 0.6;
inline constexpr double kLeastGrowth = 2;
inline constexpr double kMostGrowth = 8;
inline constexpr double kLargestSample = 0.25;
inline constexpr double kTimeExponent = 1.2;
// Seconds that all rows are taken to need at least, as a part of what they would need if the time
// grew with their number: a small sample takes more time per row.
inline constexpr double kLeastOfAll = 0.3;
// Sampled rows that vote on the cluster of another row.
inline constexpr std::size_t kSampleVoters = 5;
// Sampled rows per centre by which the others find those near to them, the centres whose groups a
// sampled row belongs to, and rows per task: rows of the same centre are compared together.
inline constexpr std::size_t kRowsPerSampleGroup = 8;
inline constexpr std::size_t kGroupsOfSampledRow = 3;
inline constexpr std::size_t kRowsPerVote = 4096;

// Sizes of clusters (size_limits.cpp, make_result.cpp). Pairs within groups that are listed beside
// bounds on sizes: a packing goes through them all.
inline constexpr std::uint64_t kMostPairsWithSizes = 2'000'000;
/// What bounds on sizes may add to the cost, as a part of it, before a result says so.
inline constexpr double kCostlySizes = 0.1;

}  // namespace shiftcut::run_tuning

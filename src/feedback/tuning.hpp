// The numbers that decide how much work a question and an answer take, and what is learned from
// answers. Judge a change with `make answers` (AMI against the number of answered questions).
#pragma once

#include <cstddef>
#include <cstdint>

namespace shiftcut::feedback_tuning {

// ---- Answers ----

// Groupings that undo() returns to at once; beyond them it searches again.
inline constexpr std::size_t kRememberedGroupings = 16;
// Fewer answers teach nothing about features; from then on they are learned from whenever there
// are a quarter more of them, so that the time spent on learning stays a fixed share.
inline constexpr std::size_t kLeastAnswersToLearn = 10;
inline constexpr double kMoreAnswersToLearn = 1.25;
// Of random numbers; the searches use the streams below.
inline constexpr std::uint64_t kFeedbackStream = std::uint64_t{1} << 43;

// ---- Which pairs are scored: all bound the time of a question, whatever n is ----

inline constexpr std::size_t kScoredPairs = 4000;      // by uncertainty
inline constexpr std::size_t kViolatingPairs = 1000;   // whose triangles maxmin and maxexp look at
inline constexpr std::size_t kThirdsOfNeighbors = 16;  // per end of such a pair
inline constexpr std::size_t kRandomThirds = 6;        // per such a pair
inline constexpr std::size_t kDoubtfulObjects = 160;   // in the mean field of entropy
inline constexpr int kTriesForOpenPair = 200;          // before all pairs are gone through

// A share of random pairs among those of maxmin and maxexp, which else see only what the current
// grouping violates.
inline constexpr double kExploredShare = 0.3;
// Gumbel noise on the logarithm of scores, so that pairs asked together differ.
inline constexpr double kScoreNoise = 0.1;

// ---- How likely an object is in which cluster ----

inline constexpr std::size_t kSampledMembers = 32;  // per cluster, unless there is a graph
inline constexpr std::size_t kSampledObjects =
    2000;  // looked at for doubt, unless there is a graph
// Without a graph a cluster counts as this many mean members: as many neighbours as an object of a
// graph has by default, so that one beta serves both.
inline constexpr double kMembersCounted = 10;
inline constexpr std::size_t kNearClusters = 4;  // of a doubtful object
inline constexpr double kBeta = 3;               // inverse temperature of the mean field
inline constexpr double kMeanFieldWork = 2e7;    // multiplications at most: some 10 ms
inline constexpr double kNotNear = -1e9;         // affinity to a cluster that is not near
inline constexpr std::size_t kObjectsPerTask = 1024;

}  // namespace shiftcut::feedback_tuning

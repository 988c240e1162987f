// What a run returns, the same for all front ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shiftcut/features.hpp"
#include "shiftcut/message.hpp"
#include "shiftcut/metrics.hpp"
#include "shiftcut/path_labels.hpp"

namespace shiftcut {

enum class StopReason { converged, max_seconds, interrupted };

/// One descent from one start.
struct Restart {
  std::string method;
  double cost = 0;
  int sweeps = 0;
  std::uint64_t moves = 0;
  double seconds = 0;
};

/// One strength of the path from which the shift was chosen.
struct PathPoint {
  double strength = 0;
  std::size_t clusters = 0;
  std::vector<std::size_t> sizes;  // decreasing
  double cost = 0;
  double criterion = 0;  // conductance over evenness: low is good
  double agreement = 0;  // with its neighbours on the path: mean adjusted Rand index
};

/// How far different ways of looking at the data (strengths of the shift, cuts of spanning trees)
/// arrive at the returned grouping.
struct Agreement {
  std::size_t voters = 0;
  std::size_t agreeing = 0;      // whose adjusted Rand index with the grouping is at least 0.9
  double score = 0;              // weighted mean of their squared adjusted Rand indices, 0 to 1
  std::string source;            // "path" or "tree": where the grouping comes from
  std::vector<double> clusters;  // of each: the mean share of voters that support its objects
  std::vector<std::size_t> contested;  // objects that fewer than half support, the least first
  std::size_t contested_count = 0;     // of which `contested` lists at most 100
};

/// A number of clusters that was judged with K free.
struct JudgedNumber {
  std::size_t clusters = 0;
  double length = 0;  // of its plateau: steps of the path times the square root of the number
  double score = 0;   // of the vote on it, 0 to 1
};

/// What the linkage shift assumed about pairs of records.
struct LinkageSummary {
  double absent = 0;       // log-odds of pairs without a probability: 0 or less
  double base_rate = 0;    // mean probability of the others
  std::size_t raised = 0;  // of them: the ends of paths of two likely matches
};

/// The pairs and groups that were given, and how far the grouping satisfies them.
struct LinkSummary {
  std::size_t must_link = 0;    // that were certain
  std::size_t cannot_link = 0;  // that were certain
  std::size_t uncertain = 0;    // with a weight
  std::size_t satisfied = 0;    // of the uncertain pairs, by the grouping
  double cost = 0;              // what uncertain pairs add to the cost; below 0: they lower it
  std::size_t groups = 0;       // of objects no two of which share a cluster
  std::size_t in_groups = 0;    // objects
};

/// The bounds on the sizes of clusters, and what they cost.
struct SizeSummary {
  std::size_t min_size = 0;   // 0: none
  std::size_t max_size = 0;   // 0: none
  double unbounded_cost = 0;  // of the solution without the bounds, from which theirs started
  std::size_t moved = 0;      // objects in another cluster than there
};

/// How much each feature counts, as learned from answers about pairs.
struct LearnedWeights {
  std::vector<double> weights;  // per feature, mean 1; all 1 unless others are significantly better
  std::vector<double> spread;   // their standard deviation over fits to resampled answers
  double gain = 0;              // in log-likelihood per held-out answer; 0: equal weights
};

struct PhaseSeconds {
  double read = 0;  // filled in by the front end that read the file
  double similarity = 0;
  double shift = 0;  // the path over its strengths
  double search = 0;
  double total = 0;
};

struct Result {
  std::size_t objects = 0;
  std::optional<std::size_t> clusters_asked;  // empty: "auto"
  std::size_t clusters_found = 0;
  std::vector<std::size_t> sizes;    // of the clusters, decreasing
  std::vector<std::int32_t> labels;  // 0 is the largest cluster
  double cost = 0;
  StopReason stop_reason = StopReason::converged;
  std::vector<Restart> restarts;
  std::string shift_kind;  // "adaptive", "degree", "constant", "none", "matrix", "linkage"
  double shift_strength = 1;
  std::optional<double> shift_constant;
  std::optional<LinkageSummary> linkage;          // of that shift
  std::vector<PathPoint> shift_path;              // if the strength was chosen from one
  std::shared_ptr<const PathLabels> path_labels;  // the same points; null where there are none
  std::optional<Agreement> agreement;             // if the grouping was chosen by a vote
  std::vector<JudgedNumber> judged_numbers;       // with K free, if it was
  double dimension = 0;              // of the data, as neighbours' distances show it; 0: unknown
  std::string similarity;            // "linear", "cosine", "rbf", "neighbors", "precomputed"
  std::string distance;              // under linear: "sqeuclidean" or "euclidean"; else empty
  std::string scale;                 // "standard", "minmax", "none"; empty where it does not apply
  std::string scale_reason;          // why, if it was chosen; else empty
  std::string metric;                // of the neighbours of features; else empty
  FeatureScaling scaling;            // of dense features; else empty
  std::optional<LinkSummary> links;  // if there were pairs
  std::optional<SizeSummary> size_bounds;  // if there were any
  std::optional<LearnedWeights> learned;   // if pairs were learned from, and there are features
  std::uint64_t seed = 0;
  int threads = 1;
  PhaseSeconds seconds;
  std::optional<Scores> scores;
  std::vector<Message> warnings;
};

}  // namespace shiftcut

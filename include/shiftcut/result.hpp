// What a run returns, the same for all front ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shiftcut/features.hpp"
#include "shiftcut/metrics.hpp"
#include "shiftcut/neighbors.hpp"

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

/// One strength on the way along which the shift was chosen.
struct PathPoint {
  double strength = 0;
  std::size_t clusters = 0;
  std::vector<std::size_t> sizes;  // decreasing
  double cost = 0;
  double criterion = 0;  // leak over evenness: low is good
  double agreement = 0;  // with its neighbours on the path: mean adjusted Rand index
};

/// What pairs somebody knew came to.
struct LinkSummary {
  std::size_t must_link = 0;    // that were certain
  std::size_t cannot_link = 0;  // that were certain
  std::size_t uncertain = 0;    // with a weight
  std::size_t kept = 0;         // of those, pairs that the grouping agrees with
  double cost = 0;              // what they add to the cost, or take off it
  std::size_t groups = 0;       // of which no two objects share a cluster
  std::size_t in_groups = 0;    // objects
};

/// What answered pairs said of how much each feature counts.
struct LearnedWeights {
  std::vector<double> weights;  // one a feature, mean 1; all 1 where no others were surely better
  std::vector<double> spread;   // their deviation over fits to resampled answers
  double gain = 0;              // in log-likelihood of an answer held out; 0: equal weights
};

struct PhaseSeconds {
  double read = 0;  // filled in by the front end that read the file
  double similarity = 0;
  double shift = 0;  // spent on the path to its strength
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
  std::string shift_kind;  // "adaptive", "constant", "none", "matrix"
  double shift_strength = 1;
  std::optional<double> shift_constant;
  std::vector<PathPoint> shift_path;  // if the strength was chosen from one
  std::string similarity;             // "linear", "cosine", "rbf", "neighbors", "precomputed"
  std::string distance;               // under linear: "sqeuclidean" or "euclidean"; else empty
  std::string scale;                  // "standard", "minmax", "none"; empty where it does not apply
  FeatureScaling scaling;             // of dense features; else empty
  std::optional<LinkSummary> links;   // if there were pairs
  std::optional<LearnedWeights> learned;  // if pairs were learned from, and there are features
  std::uint64_t seed = 0;
  int threads = 1;
  PhaseSeconds seconds;
  std::optional<Scores> scores;
  std::vector<std::string> warnings;
  std::shared_ptr<const NeighborTable> neighbors;  // if Options::keep_neighbors asked for them
};

}  // namespace shiftcut

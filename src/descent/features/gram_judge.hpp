// Judges many objects at once against the clusters' vectors at the start of a batch, in float32
// with an error bound. A judgement is a best cluster and its slack:
//   slack = (best affinity - second best - tolerance) / |x| - bound on all rounding errors,
// so it holds as long as the sum of the two largest drifts since then stays below the slack.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "core/partition.hpp"
#include "descent/features/cluster_vectors.hpp"
#include "problem/gram_problem.hpp"

namespace shiftcut {

/// The slack of an object that must be judged in its turn, and of one that never moves.
inline constexpr float kUnknownSlack = -std::numeric_limits<float>::infinity();
inline constexpr float kInfiniteSlack = std::numeric_limits<float>::infinity();

/// A float not above, or not below, the given value.
inline float round_down(double value) {
  return static_cast<float>(std::isfinite(value) ? value - 1e-6 * std::abs(value) : value);
}
inline float round_up(double value) { return -round_down(-value); }

class GramJudge {
 public:
  GramJudge(const GramProblem& problem, const ClusterVectors& clusters, int threads);

  /// After ClusterVectors::begin_batch().
  void begin_batch();

  /// Writes targets[i] and slacks[objects[i]]; several threads at once, different objects each.
  void judge(std::span<const ObjectId> objects, std::span<const ClusterId> labels, int thread,
             ClusterId* targets, float* slacks);

  /// Fetches what a judgement reads first: the norm and the row's beginning.
  void prefetch(ObjectId object) const {
    problem_.prefetch_norm(object);
    __builtin_prefetch(problem_.sketch(object));
  }

 private:
  // Buffers of one thread.
  struct Scratch {
    std::vector<const float*> rows;
    std::vector<float> products;
    TopTwo top;
  };

  const GramProblem& problem_;
  const ClusterVectors& clusters_;
  std::vector<Scratch> scratch_;
  std::vector<ClusterId> index_of_;  // a cluster's index among the candidates of the batch
};

}  // namespace shiftcut

// Judges many objects at once against the clusters' vectors at the start of a batch, in float32
// with an error bound. A judgement is a best cluster and its slack:
//   slack = (best affinity - second best - tolerance) / |x| - bound on all rounding errors,
// so it holds as long as the sum of the two largest drifts since then stays below the slack.
//
// Long rows are judged by their coordinates first (projection.hpp), once few clusters remain, and
// in full only if those do not decide.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "core/partition.hpp"
#include "descent/cluster_vectors.hpp"
#include "descent/projection.hpp"
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

  /// Judges an object in its turn, against the current vectors, by its coordinates. Returns whether
  /// these decide; the slack is as of now.
  bool judge_now(ObjectId object, ClusterId own, ClusterId& target, double& slack) const;
  /// Fetches what a judgement reads first: the norm, and the coordinates or the row's beginning.
  void prefetch(ObjectId object) const {
    problem_.prefetch_norm(object);
    __builtin_prefetch(by_coordinates_ ? projection_.coordinates(object) : problem_.sketch(object));
  }
  /// After ClusterVectors::move().
  void move(ObjectId object, ClusterId from, ClusterId to) {
    if (by_coordinates_) {
      move_coordinates(object, from, to);
    }
  }

  /// Rebuilds the projection if that pays.
  void end_sweep(ThreadTeam& team);

 private:
  // Buffers of one thread.
  struct Scratch {
    std::vector<std::size_t> undecided;  // indices among the objects of the call
    std::vector<ObjectId> unknown;       // objects without coordinates
    std::vector<const float*> rows;
    std::vector<float> products;
    TopTwo top;
    std::size_t judged_in_full = 0;  // in this sweep
  };
  // The arguments of judge().
  struct Call {
    std::span<const ObjectId> objects;
    std::span<const ClusterId> labels;
    ClusterId* targets;
    float* slacks;
  };
  // A candidate's vector in coordinates: as it is now, and its drift since the batch began.
  struct Projected {
    std::array<double, Projection::kDimensions> now{};
    std::array<double, Projection::kDimensions> drift{};
    double residual = 0;  // bounds what its coordinates did not hold when the batch began
  };
  // Error bound of a product: by |x| |s|, and by |x| if coordinates leave out a residual.
  struct Error {
    double of_product;
    double of_residuals;
  };

  void find_coordinates(const Call& call, Scratch& scratch);
  void judge_by_coordinates(const Call& call, Scratch& scratch) const;
  void judge_in_full(const Call& call, Scratch& scratch);
  void decide(const Call& call, const PackedColumns<float>& columns, Error error,
              Scratch& scratch) const;
  void move_coordinates(ObjectId object, ClusterId from, ClusterId to);
  [[nodiscard]] double residual_drift(std::size_t candidate) const;

  const GramProblem& problem_;
  const ClusterVectors& clusters_;
  std::vector<Scratch> scratch_;
  Projection projection_;
  std::size_t judged_in_full_ = 0;  // since the projection was rebuilt

  // The current batch.
  std::vector<ClusterId> index_of_;  // a cluster's index among the candidates
  bool by_coordinates_ = false;
  std::vector<ClusterId> batch_candidates_;  // the candidates when the batch began
  std::vector<Projected> projected_;         // their vectors
  PackedColumns<float> columns_;             // their coordinates, times 1 / largest_norm()
  double residual_sum_ = 0;                  // the sum of their two largest residuals
  double moved_norms_ = 0;                   // the sum of |x| over all objects that moved
};

}  // namespace shiftcut

// Judges many objects at once against the clusters' vectors as a batch began with, in float32 with
// a bound on its error. A judgement is a best cluster and its slack: the margin over the second
// best, by |x|, less all that roundings can amount to. What the slack exceeds is certain.
//
// Long rows are judged by their coordinates (projection.hpp) first, once few clusters are left, and
// in full only where those do not tell.
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

/// The slack of an object that is to be judged when its turn comes, and of one that never moves.
inline constexpr float kUnknownSlack = -std::numeric_limits<float>::infinity();
inline constexpr float kEndlessSlack = std::numeric_limits<float>::infinity();

/// A float not above, not below the given value.
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

  /// Judges an object when its turn comes, against the vectors as they are then, if its coordinates
  /// tell. Slack as of then.
  bool judge_now(ObjectId object, ClusterId own, ClusterId& target, double& slack) const;
  /// What a judgement reads first: the norm, and the coordinates or else the beginning of the row.
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

  /// Turns the directions of coordinates if that pays.
  void end_sweep(ThreadTeam& team);

 private:
  // What one thread works with.
  struct Scratch {
    std::vector<std::size_t> open;  // places among the objects, still to be judged
    std::vector<ObjectId> unknown;  // objects without coordinates
    std::vector<const float*> rows;
    std::vector<float> products;
    TopTwo top;
    std::size_t in_full = 0;  // rows, in this sweep
  };
  // The objects of a call and what becomes of them.
  struct Call {
    std::span<const ObjectId> objects;
    std::span<const ClusterId> labels;
    ClusterId* targets;
    float* slacks;
  };
  // A candidate's vector in coordinates: as it is, and the way it went since the batch began.
  struct View {
    std::array<double, Projection::kCount> now{};
    std::array<double, Projection::kCount> step{};
    double rest = 0;  // at least what its coordinates did not hold when the batch began
  };
  // How far a product may be off: by |x| |s|, and by |x| where its rest is not nothing.
  struct Error {
    double of_product;
    double of_rests;
  };

  void find_coordinates(const Call& call, Scratch& scratch);
  void judge_by_coordinates(const Call& call, Scratch& scratch) const;
  void judge_in_full(const Call& call, Scratch& scratch);
  void decide(const Call& call, const PackedColumns<float>& columns, Error error,
              Scratch& scratch) const;
  void move_coordinates(ObjectId object, ClusterId from, ClusterId to);
  [[nodiscard]] double rest_of_way(std::size_t candidate) const;

  const GramProblem& problem_;
  const ClusterVectors& clusters_;
  std::vector<Scratch> scratch_;
  Projection projection_;
  std::size_t in_full_ = 0;  // rows, since the directions were turned

  // The current batch.
  std::vector<ClusterId> place_of_;  // of a cluster among the candidates
  bool by_coordinates_ = false;
  std::vector<ClusterId> viewed_;  // the candidates when the batch began
  std::vector<View> views_;        // of these
  PackedColumns<float> columns_;   // the candidates' coordinates, times 1 / largest()
  double rests_ = 0;               // the two longest rests of them, together
  double walked_ = 0;              // the lengths of all that moved, together
};

}  // namespace shiftcut

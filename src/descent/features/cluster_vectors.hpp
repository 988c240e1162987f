// Clusters of feature rows as vectors: cluster k is s_k, the sum of its members' z
// (gram_problem.hpp), and the affinity of object x to it is x.s_k.
//
// Keeps an upper bound on the drift |s_k - s_k(then)| of every cluster since the current batch
// began. An affinity has changed by at most |x| times the drift, and the difference of two
// affinities by at most |x| times the sum of the two largest drifts.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "descent/best_move.hpp"
#include "problem/gram_problem.hpp"

namespace shiftcut {

/// The two largest drifts.
struct TopDrifts {
  double largest = 0;
  double second = 0;
  ClusterId largest_cluster = kNoCluster;
  ClusterId second_cluster = kNoCluster;

  /// The drift of a cluster not seen so far, or one that has grown.
  void include(ClusterId k, double drift) {
    if (k == largest_cluster) {
      largest = std::max(largest, drift);
    } else if (drift > largest) {
      second = largest;
      second_cluster = largest_cluster;
      largest = drift;
      largest_cluster = k;
    } else if (drift > second) {
      second = drift;
      second_cluster = k;
    }
  }
  [[nodiscard]] double sum() const { return largest + second; }
  /// The largest drift of any cluster but k.
  [[nodiscard]] double largest_except(ClusterId k) const {
    return k == largest_cluster ? second : largest;
  }
  [[nodiscard]] bool contains(ClusterId k) const {
    return k == largest_cluster || k == second_cluster;
  }
};

class ClusterVectors {
 public:
  ClusterVectors(const GramProblem& problem, std::span<const ClusterId> labels,
                 std::optional<std::size_t> clusters, RowTruth truth, ThreadTeam& team);

  /// All clusters, including empty ones.
  [[nodiscard]] std::size_t count() const { return slots_.count(); }
  /// The clusters an object may go to, in ascending order: all non-empty ones and the first empty
  /// one.
  [[nodiscard]] const std::vector<ClusterId>& candidates() const { return candidates_; }
  [[nodiscard]] const std::vector<double>& sums() const { return sums_; }
  [[nodiscard]] const double* sum(ClusterId k) const { return &sums_[k * length_]; }
  /// The length of the longest vector when the batch began.
  [[nodiscard]] double largest_norm() const { return largest_norm_; }

  /// Whether `to` is empty and another empty cluster, equally good, remains after moving there.
  [[nodiscard]] bool leaves_another_empty(ClusterId to) const {
    return slots_.size(to) == 0 && count() - candidates_.size() + (slots_.free() ? 1 : 0) > 0;
  }

  /// Starts measuring drift from the vectors as they are now.
  void begin_batch();
  /// The candidates as columns, times 1 / largest_norm(), as of begin_batch().
  [[nodiscard]] const PackedColumns<float>& packed() const { return packed_; }
  /// Hands out the vectors the batch began with, once it has ended.
  void swap_batch_start(std::vector<double>& sums) { std::swap(batch_start_, sums); }
  /// Upper bounds on drifts since begin_batch().
  [[nodiscard]] const TopDrifts& top_drifts() const { return top_drifts_; }
  [[nodiscard]] double drift(ClusterId k) const { return drift_[k]; }

  /// Judges one object against the vectors as they are now, in double precision.
  BestMove best_move_of(ObjectId object, std::span<const ClusterId> labels);
  void move(ObjectId object, ClusterId from, ClusterId to);

  /// The drift of cluster k since its vector was that in `then`, which may have fewer clusters.
  [[nodiscard]] double drift_since(const std::vector<double>& then, ClusterId k) const;

  /// Recomputes all vectors from the exact rows; all later decisions use these.
  void recompute_exactly(std::span<const ClusterId> labels, ThreadTeam& team);
  /// The cost, as accurate as the vectors are.
  [[nodiscard]] double cost() const;

 private:
  [[nodiscard]] std::vector<double> sums_of_rows(std::span<const ClusterId> labels,
                                                 ThreadTeam& team) const;
  void list_candidates();
  void grow_drift(ClusterId k, double step);

  [[nodiscard]] double* sum(ClusterId k) { return &sums_[k * length_]; }

  const GramProblem& problem_;
  std::size_t length_;
  RowTruth truth_;
  Slots slots_;
  std::vector<double> sums_;
  std::vector<ClusterId> candidates_;
  double largest_norm_ = 0;

  PackedColumns<float> packed_;
  std::vector<double> batch_start_;
  std::vector<double> drift_;         // per cluster, since the batch began: upper bounds
  std::vector<std::uint32_t> moves_;  // per cluster
  TopDrifts top_drifts_;

  std::vector<double> row_;
  std::vector<double> affinities_;
};

}  // namespace shiftcut

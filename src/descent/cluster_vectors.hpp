// The clusters of a search over features as vectors: each the sum of its members' z
// (gram_problem.hpp). Knows how far each vector has gone since a batch of objects was judged, and
// by that, how much any object's affinities can have changed: at most |x| times the way.
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
#include "descent/slots.hpp"
#include "problem/gram_problem.hpp"

namespace shiftcut {

/// The two longest ways of clusters: the difference of two affinities changes by at most their sum.
struct Reach {
  double longest = 0;
  double second = 0;
  ClusterId longest_cluster = kNoCluster;
  ClusterId second_cluster = kNoCluster;

  /// A way of a cluster that has none yet, or a longer one than before.
  void include(ClusterId k, double way) {
    if (k == longest_cluster) {
      longest = std::max(longest, way);
    } else if (way > longest) {
      second = longest;
      second_cluster = longest_cluster;
      longest = way;
      longest_cluster = k;
    } else if (way > second) {
      second = way;
      second_cluster = k;
    }
  }
  [[nodiscard]] double sum() const { return longest + second; }
  /// The longest way of all clusters but k.
  [[nodiscard]] double beside(ClusterId k) const { return k == longest_cluster ? second : longest; }
  [[nodiscard]] bool is_of(ClusterId k) const {
    return k == longest_cluster || k == second_cluster;
  }
};

class ClusterVectors {
 public:
  ClusterVectors(const GramProblem& problem, std::span<const ClusterId> labels,
                 std::optional<std::size_t> clusters, RowTruth truth, ThreadTeam& team);

  /// All clusters, empty ones too.
  [[nodiscard]] std::size_t count() const { return slots_.count(); }
  /// Those worth a look, in ascending order: all that are not empty, and the first that is.
  [[nodiscard]] const std::vector<ClusterId>& candidates() const { return candidates_; }
  [[nodiscard]] const std::vector<double>& sums() const { return sums_; }
  [[nodiscard]] const double* sum(ClusterId k) const { return &sums_[k * length_]; }
  /// At least the length of every vector.
  [[nodiscard]] double largest() const { return largest_; }

  /// Whether going to `to` leaves another empty cluster, as good as this one was.
  [[nodiscard]] bool leaves_another_empty(ClusterId to) const {
    return slots_.size(to) == 0 && count() - candidates_.size() + (slots_.free() ? 1 : 0) > 0;
  }

  /// Ways are measured from here on. The candidates as columns, times 1 / largest(), for judging.
  void begin_batch();
  [[nodiscard]] const PackedColumns<float>& packed() const { return packed_; }
  /// Hands out the vectors as the batch began with, when it has ended.
  void swap_batch_start(std::vector<double>& sums) { std::swap(batch_start_, sums); }
  /// Upper bounds on what clusters have gone since.
  [[nodiscard]] const Reach& reach() const { return reach_; }
  [[nodiscard]] double way(ClusterId k) const { return way_[k]; }

  /// Judges one object against the vectors as they are now, in double precision.
  BestMove best_move_of(ObjectId object, std::span<const ClusterId> labels);
  void move(ObjectId object, ClusterId from, ClusterId to);

  /// |now - then| of cluster k, where `then` may be of a time with fewer clusters.
  [[nodiscard]] double way_from(const std::vector<double>& then, ClusterId k) const;

  /// Sums all vectors anew from the exact rows, which all decisions are made on from here.
  void settle(std::span<const ClusterId> labels, ThreadTeam& team);
  /// The cost, as exact as the vectors are.
  [[nodiscard]] double cost() const;

 private:
  [[nodiscard]] std::vector<double> sums_of_rows(std::span<const ClusterId> labels,
                                                 ThreadTeam& team) const;
  void list_candidates();
  void grow_way(ClusterId k, double step);

  [[nodiscard]] double* sum(ClusterId k) { return &sums_[k * length_]; }

  const GramProblem& problem_;
  std::size_t length_;
  RowTruth truth_;
  Slots slots_;
  std::vector<double> sums_;
  std::vector<ClusterId> candidates_;
  double largest_ = 0;

  PackedColumns<float> packed_;
  std::vector<double> batch_start_;
  std::vector<double> way_;           // per cluster, since the batch began: an upper bound
  std::vector<std::uint32_t> moves_;  // per cluster
  Reach reach_;

  std::vector<double> row_;
  std::vector<double> affinities_;
};

}  // namespace shiftcut

// Local search over a given matrix with a table of sums: T_ki, the sum of raw_ij over j in cluster
// k. Judging an object is then O(K), and a move is two column updates of length n, so that a sweep
// costs O(nK + moves n) rather than O(n^2).
//
// The sweep goes by batches: the batch's columns of the table are copied, walked in order and
// corrected at once for each other's moves; the moves are then applied to the whole table together,
// on all threads, reading each moved object's row once.
#pragma once

#include <optional>
#include <vector>

#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "descent/slots.hpp"
#include "descent/sweep_order.hpp"
#include "problem/dense_problem.hpp"

namespace shiftcut {

class DenseState {
 public:
  DenseState(const DenseProblem& problem, std::vector<ClusterId> labels,
             std::optional<std::size_t> clusters, ThreadTeam& team);

  /// Visits every object once; returns the number of moves.
  std::size_t sweep(const SweepOrder& order, StopCheck& stop);

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return labels_; }

 private:
  struct Move {
    ObjectId object;
    ClusterId from;
    ClusterId to;
  };

  void copy_batch();
  void walk_batch();
  void correct_batch(const Move& move, std::size_t after);
  void apply_moves();

  const DenseProblem& problem_;
  ThreadTeam& team_;
  std::vector<ClusterId> labels_;
  Slots slots_;
  std::vector<std::vector<double>> table_;  // per cluster, length n
  std::vector<double> degrees_;             // per cluster, sum of r

  // The current batch.
  std::vector<ObjectId> objects_;
  std::vector<std::vector<double>> local_;  // per object of the batch, sums by cluster
  std::vector<Move> moves_;
  std::vector<double> affinities_;
};

}  // namespace shiftcut

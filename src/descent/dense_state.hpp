// Local search over a matrix, with a table of sums T_ki, the sum of raw_ij over j in cluster k.
// Judging an object is O(K) and a move updates two rows of length n, so a sweep costs
// O(n K + moves n) instead of O(n^2).
//
// A sweep is cut into batches. The columns of a batch are copied, visited in order and corrected at
// once for each other's moves; the moves are then applied to the whole table together, on all
// threads, which reads each moved object's row once.
#pragma once

#include <optional>
#include <vector>

#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "descent/best_move.hpp"
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
  void visit_batch();
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

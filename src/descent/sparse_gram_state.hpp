// Local search over sparse rows: the clusters' sums stand side by side for every dimension, so that
// judging an object reads K numbers in a row for each of its entries. O(entries * K) a sweep.
#pragma once

#include <optional>
#include <vector>

#include "core/stop_check.hpp"
#include "descent/slots.hpp"
#include "descent/sweep_order.hpp"
#include "problem/sparse_gram_problem.hpp"

namespace shiftcut {

class SparseGramState {
 public:
  SparseGramState(const SparseGramProblem& problem, std::vector<ClusterId> labels,
                  std::optional<std::size_t> clusters);

  /// Visits every object once; returns the number of moves.
  std::size_t sweep(const SweepOrder& order, StopCheck& stop);

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return labels_; }

 private:
  ClusterId judge(ObjectId object);
  void add(ObjectId object, ClusterId cluster, double sign);
  void make_room(std::size_t clusters);

  const SparseGramProblem& problem_;
  std::vector<ClusterId> labels_;
  Slots slots_;
  std::size_t stride_ = 0;     // clusters there is room for
  std::vector<double> sums_;   // dimension by dimension
  std::vector<double> p_sum_;  // per cluster
  std::vector<double> affinities_;
};

}  // namespace shiftcut

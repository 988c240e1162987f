// A given n x n matrix: X_ij = sign * raw_ij + offset, the shift in its terms
// (shift_terms.hpp). The matrix is read where it lies, never copied.
#pragma once

#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "problem/constrained.hpp"
#include "problem/shift_terms.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

class DenseProblem {
 public:
  /// X is the matrix itself.
  static DenseProblem similarities(DenseArray matrix, const ShiftOptions& shift, ThreadTeam& team,
                                   const NodeWeights& node_weights = {});
  /// X_ij = max(D) + min(D) - D_ij, over the whole matrix.
  static DenseProblem distances(DenseArray matrix, const ShiftOptions& shift, ThreadTeam& team,
                                const NodeWeights& node_weights = {});

  /// The problem of the nodes of `constraints`: S itself as a matrix, with evidence and conflicts.
  [[nodiscard]] DenseProblem linked(const Constraints& constraints, ThreadTeam& team) const;
  [[nodiscard]] const Conflicts* conflicts() const { return conflicts_.get(); }

  [[nodiscard]] std::size_t size() const { return matrix_.rows(); }
  [[nodiscard]] const DenseArray& matrix() const { return matrix_; }

  /// Affinity of i to a cluster of `count` objects with sum `raw` of raw_ij and `degrees` of r_j.
  [[nodiscard]] double affinity(ObjectId i, double raw, double count, double degrees) const {
    return sign_ * raw + count * (offset_ - terms_.flat - terms_.per_degree * degree_[i]) -
           terms_.per_unit_degree(1, degree_[i]) * degrees;
  }
  [[nodiscard]] double self(ObjectId i) const {
    return affinity(i, matrix_.at(i, i), 1, degree_[i]);
  }
  /// S_ij = sign * raw_ij less these terms.
  [[nodiscard]] double sign() const { return sign_; }
  [[nodiscard]] ShiftTerms raw_terms() const {
    return {terms_.flat - offset_, terms_.per_degree, terms_.per_product};
  }
  [[nodiscard]] double degree(ObjectId i) const { return degree_[i]; }
  [[nodiscard]] double tolerance() const { return tolerance_; }
  /// All 1: where objects stand for several, the shift is in the matrix.
  [[nodiscard]] const NodeWeights& node_weights() const { return node_weights_; }

  [[nodiscard]] double shifted(ObjectId i, ObjectId j) const {
    return affinity(i, matrix_.at(i, j), 1, degree_[j]);
  }
  [[nodiscard]] double cost(std::span<const ClusterId> labels, ThreadTeam& team) const;
  [[nodiscard]] double total(ThreadTeam& team) const;

 private:
  DenseProblem(DenseArray matrix, double sign, const ShiftOptions& shift,
               const NodeWeights& node_weights, ThreadTeam& team);
  [[nodiscard]] DenseProblem weighted(const NodeWeights& node_weights, ThreadTeam& team) const;

  DenseArray matrix_;
  double sign_;
  double offset_ = 0;
  ShiftTerms terms_;
  std::vector<double> degree_;  // r_i, the row sums of X
  double tolerance_ = 0;
  NodeWeights node_weights_;
  std::shared_ptr<const Conflicts> conflicts_;
};

}  // namespace shiftcut

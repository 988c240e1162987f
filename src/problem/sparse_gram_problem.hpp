// Sparse rows under cosine or linear similarity: S without its matrix and without centring, which
// would fill the rows. With u the rows (of unit length under cosine), h_i = u_i.(mean u),
// g = |mean u|^2 and q_i = |u_i|^2,
//   S_ij = m u_i.u_j + p_i + p_j + e0
// cosine, adaptive of strength L:  m = 1, p = -L h,               e0 = L g
// cosine, constant A:              m = 1, p = 0,                  e0 = -L A
// linear, adaptive:                m = 2, p = -(1-L) q - 2 L h,   e0 = (1-L) M + 2 L g
// linear, constant A:              m = 2, p = -q,                 e0 = M - L A
// with M the largest squared distance.
#pragma once

#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "problem/constrained.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

class SparseGramProblem {
 public:
  /// `kind` is cosine or linear (squared Euclidean). M is computed, in O(n * entries) at worst,
  /// where the shift does not cancel it.
  SparseGramProblem(const SparseMatrix& rows, Similarity kind, const ShiftOptions& shift,
                    ThreadTeam& team, NodeWeights node_weights = {});

  /// The problem of the nodes of `constraints`, with evidence and conflicts as pairs().
  [[nodiscard]] SparseGramProblem linked(const Constraints& constraints) const;
  [[nodiscard]] const Conflicts* conflicts() const { return conflicts_.get(); }
  [[nodiscard]] const PairTerms& pairs() const { return pairs_; }

  [[nodiscard]] std::size_t size() const { return offsets_.size() - 1; }
  [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
  [[nodiscard]] std::span<const std::uint32_t> columns(ObjectId i) const {
    return std::span(columns_).subspan(begin(i), end(i) - begin(i));
  }
  /// Entries of u_i.
  [[nodiscard]] std::span<const double> entries(ObjectId i) const {
    return std::span(entries_).subspan(begin(i), end(i) - begin(i));
  }
  [[nodiscard]] std::size_t zero_rows() const { return zero_rows_; }

  /// Affinity of i to a cluster of `count` objects with `product` = u_i.(sum of u), `p_sum` of p.
  [[nodiscard]] double affinity(ObjectId i, double product, double count, double p_sum) const {
    return m_ * product + count * (node_weights_.of(i) * e0_ + p_[i]) + node_weights_.of(i) * p_sum;
  }
  [[nodiscard]] double self(ObjectId i) const {
    return affinity(i, squared_[i], node_weights_.of(i), p_[i]);
  }
  [[nodiscard]] double node_weight(ObjectId i) const { return node_weights_.of(i); }
  [[nodiscard]] const NodeWeights& node_weights() const { return node_weights_; }
  [[nodiscard]] double p(ObjectId i) const { return p_[i]; }
  [[nodiscard]] double tolerance() const { return tolerance_; }

  [[nodiscard]] double shifted(ObjectId i, ObjectId j) const;
  [[nodiscard]] double cost(std::span<const ClusterId> labels, ThreadTeam& team) const;
  [[nodiscard]] double total(ThreadTeam& team) const;

 private:
  SparseGramProblem() = default;
  [[nodiscard]] std::size_t begin(ObjectId i) const {
    return static_cast<std::size_t>(offsets_[i]);
  }
  [[nodiscard]] std::size_t end(ObjectId i) const {
    return static_cast<std::size_t>(offsets_[i + 1]);
  }
  void make_unit_rows();
  void multiply_by_weights();
  [[nodiscard]] double row_product(ObjectId i, ObjectId j) const;
  [[nodiscard]] double largest_squared_distance(ThreadTeam& team) const;

  std::vector<std::int64_t> offsets_;
  std::vector<std::uint32_t> columns_;
  std::vector<double> entries_;
  std::size_t dimensions_ = 0;
  double m_ = 1;
  double e0_ = 0;
  std::vector<double> p_;
  std::vector<double> squared_;  // q
  NodeWeights node_weights_;
  PairTerms pairs_;
  std::shared_ptr<const Conflicts> conflicts_;
  double tolerance_ = 0;
  std::size_t zero_rows_ = 0;
};

}  // namespace shiftcut

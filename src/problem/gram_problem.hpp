// Features under linear or cosine similarity: S without its n x n matrix.
//
// With centred rows y_i and one number p_i an object, both similarities under every shift are
//   S_ij = m * ( y_i.y_j + e1 (p_i + p_j) + e0 )
// linear (X = M - |y_i|^2 - |y_j|^2 + 2 y_i.y_j, M the largest squared distance): m = 2, p = |y|^2,
//   adaptive of strength L: e1 = -(1-L)/2, e0 = (1-L) M/2; constant A: e1 = -1/2, e0 = (M - L A)/2;
// cosine (X = u_i.u_j, y = u - mean u): m = 1, p = y.(mean u), g = |mean u|^2,
//   adaptive: e1 = 1-L, e0 = (1-L) g; constant: e1 = 1, e0 = g - L A.
// So S_ij / m = x_i.z_j with x = (y, p R/P, R) and z = (y, e1 P/R, (e0 + e1 p)/R), R and P of
// the size that |y| and p are; the two extra entries are left out where e0 = e1 = 0, as in the
// adaptive shift of strength 1. A cluster is then one vector, the sum of its z, and an affinity one
// product. Objects that have become one have the sum of their x and z.
#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "core/memory.hpp"
#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "problem/constrained.hpp"
#include "shiftcut/options.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// Which rows decisions are made on: the data's own in double precision, or their float32 copies.
enum class RowTruth { exact, float32 };

class GramProblem {
 public:
  /// Rows of FeatureRows::centred; `largest_squared` is M, used unless the shift cancels it.
  static GramProblem linear(const FeatureRows& rows, const ShiftOptions& shift,
                            double largest_squared, ThreadTeam& team,
                            NodeWeights node_weights = {});
  /// Rows of FeatureRows::unit_centred.
  static GramProblem cosine(const FeatureRows& rows, const ShiftOptions& shift, ThreadTeam& team,
                            NodeWeights node_weights = {});

  /// Whether the linear similarity under this shift depends on M.
  static bool needs_largest_distance(const ShiftOptions& shift);

  /// The problem of the nodes of `constraints`, with evidence and conflicts as pairs().
  [[nodiscard]] GramProblem linked(const Constraints& constraints, ThreadTeam& team) const;
  [[nodiscard]] const Conflicts* conflicts() const { return conflicts_.get(); }
  /// What is added to S, in units of m as all else.
  [[nodiscard]] const PairTerms& pairs() const { return pairs_; }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] double node_weight(ObjectId i) const { return node_weights_.of(i); }
  [[nodiscard]] const NodeWeights& node_weights() const { return node_weights_; }
  /// Entries of x and z.
  [[nodiscard]] std::size_t length() const { return length_; }
  /// m: what follows is in units of it.
  [[nodiscard]] double unit() const { return m_; }

  /// Truth to begin with: float32 for data given so (a last descent on the exact rows ends it).
  [[nodiscard]] RowTruth first_truth() const {
    return rows_.is_float32() ? RowTruth::float32 : RowTruth::exact;
  }

  /// Writes x_i.
  void x_row(ObjectId i, RowTruth truth, double* out) const;
  /// Turns x_i into z_i in place.
  void x_to_z(ObjectId i, double* x) const;
  /// S_ii / m for given x_i.
  [[nodiscard]] double self(ObjectId i, const double* x) const;

  /// x_i in float32, times 1 / sketch_scale(), so that no data are too large or small for it.
  [[nodiscard]] const float* sketch(ObjectId i) const { return sketch_.data() + i * length_; }
  [[nodiscard]] double sketch_scale() const { return typical_y_; }
  /// At least |x_i|, by no more than a few float roundings.
  [[nodiscard]] float norm(ObjectId i) const { return norm_[i]; }
  void prefetch_norm(ObjectId i) const { __builtin_prefetch(&norm_[i]); }
  /// The norm and the row.
  void prefetch(ObjectId i) const {
    prefetch_norm(i);
    for (std::size_t j = 0; j < length_; j += 64 / sizeof(float)) {
      __builtin_prefetch(sketch(i) + j);
    }
  }
  /// S_ii / m to float precision.
  [[nodiscard]] double approximate_self(ObjectId i) const;
  /// At least |z_i|.
  [[nodiscard]] double z_norm(ObjectId i) const;

  /// At least every |x_i|.
  [[nodiscard]] double largest_norm() const { return largest_norm_; }
  /// The sum over all pairs i, j in a cluster of S_ij / m, from the sum of its z and its size.
  [[nodiscard]] double within(const double* z_sum, double size) const;

  /// A gain must be larger than this to count (in units of m).
  [[nodiscard]] double tolerance() const { return tolerance_; }

  /// S_ij by its definition. O(d).
  [[nodiscard]] double shifted(ObjectId i, ObjectId j) const;
  /// The cost by its definition, from the data, in one pass.
  [[nodiscard]] double cost(std::span<const ClusterId> labels, ThreadTeam& team) const;
  /// The sum of all S_ij.
  [[nodiscard]] double total(ThreadTeam& team) const;

  /// The rows themselves; x = z = y where there are no extra entries.
  [[nodiscard]] const FeatureRows& rows() const { return rows_; }
  /// Whether x and z have the two extra entries.
  [[nodiscard]] bool has_extra() const { return length_ > rows_.length(); }

 private:
  GramProblem(FeatureRows rows, double m, double e0, double e1)
      : rows_(std::move(rows)), m_(m), e0_(e0), e1_(e1) {}

  using Offsets = std::function<double(std::size_t i, const std::vector<double>& y)>;  // p
  void prepare(ThreadTeam& team, const Offsets& p_of);

  FeatureRows rows_;
  double m_;
  double e0_;
  double e1_;
  std::size_t length_ = 0;
  std::vector<double> p_;  // empty where e0 = e1 = 0
  NodeWeights node_weights_;
  PairTerms pairs_;
  std::shared_ptr<const Conflicts> conflicts_;
  double typical_p_ = 1;  // P
  double typical_y_ = 1;  // R
  double largest_norm_ = 0;
  double tolerance_ = 0;
  UninitializedArray<float> sketch_;
  PagedVector<float> norm_;
};

inline double GramProblem::approximate_self(ObjectId i) const {
  const double squared = static_cast<double>(norm_[i]) * static_cast<double>(norm_[i]);
  if (!has_extra()) {
    return squared;
  }
  const double count = node_weight(i);
  const double a = p_[i] * typical_y_ / typical_p_;
  const double b = typical_y_ * count;
  return squared - a * a - b * b + count * (2 * e1_ * p_[i] + e0_ * count);
}

inline double GramProblem::z_norm(ObjectId i) const {
  const auto norm = static_cast<double>(norm_[i]);
  if (!has_extra()) {
    return norm;
  }
  const double a = e1_ * typical_p_ / typical_y_ * node_weight(i);
  const double b = (e0_ * node_weight(i) + e1_ * p_[i]) / typical_y_;
  return std::sqrt(norm * norm + a * a + b * b);
}

}  // namespace shiftcut

// The distinct rows as the searches use them: moved and scaled so that float32 holds them and their
// squares well, and packed for products of matrices.
#pragma once

#include <vector>

#include "core/kernels/kernels.hpp"
#include "core/thread_team.hpp"
#include "similarity/feature_rows.hpp"
#include "similarity/row_groups.hpp"

namespace shiftcut {

/// The row of each group less the median of every column, times a power of two so that no entry
/// exceeds
/// 2. Unlike the mean, the median stays with the bulk of the rows when a few lie very far out, and
/// the bulk keeps its digits.
class ScaledRows {
 public:
  ScaledRows(const FeatureRows& rows, const RowGroups& groups, ThreadTeam& team);

  [[nodiscard]] std::size_t size() const { return groups_.size(); }
  [[nodiscard]] std::size_t length() const { return rows_.length(); }

  /// Writes the row of a group, `length()` numbers.
  void row(std::size_t group, double* out) const;

  /// Moves and scales another row in the same way.
  void place(double* row) const;

  /// What distances are multiplied by.
  [[nodiscard]] double scale() const { return scale_; }

 private:
  const FeatureRows& rows_;
  const RowGroups& groups_;
  std::vector<double> centre_;
  double scale_ = 1;
};

/// The rows in float32 with a bound on the error that rounding makes in a distance:
///   |x - y|^2 - |x|^2 = |y|^2 - 2 x.y = score,  computed as base_y + (-2 x).y
/// With g = (d + 8) 2^-24 the score's error is at most g (|x|^2 + |y|^2): base_y is lowered by
/// g |y|^2, so that a true score is at least the computed one less g |x|^2, and at most the
/// computed one plus spread_y + g |x|^2, where spread_y = 2 g |y|^2.
class PackedRows {
 public:
  static constexpr std::size_t kBlock = 256;  // columns packed together

  /// 4 n d bytes.
  PackedRows(const ScaledRows& rows, ThreadTeam& team);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] std::size_t length() const { return rows_.length(); }
  [[nodiscard]] const std::vector<PackedColumns<float>>& blocks() const { return blocks_; }
  /// Of every row, infinite in the padding of the last block.
  [[nodiscard]] const std::vector<float>& base() const { return base_; }
  [[nodiscard]] const std::vector<float>& spread() const { return spread_; }

  /// Writes -2 x of a group. Returns how far above the k-th smallest score + spread a score may lie
  /// and still be among the k smallest.
  double query(std::size_t group, float* out) const;
  /// The same for any row that ScaledRows has placed.
  double query(const double* row, float* out) const;

 private:
  const ScaledRows& rows_;
  double error_;  // g
  std::vector<PackedColumns<float>> blocks_;
  std::vector<float> base_;
  std::vector<float> spread_;
};

}  // namespace shiftcut

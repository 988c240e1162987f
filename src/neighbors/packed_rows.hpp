// The different rows in float32, centred and scaled so that nothing overflows, packed for products;
// with them a bound on what rounding does to a distance.
//   |x - y|^2 - |x|^2 = |y|^2 - 2 x.y = score,  found as base_y + (-2 x).y
// With g = (d + 8) 2^-24 the score's error is at most g (|x|^2 + |y|^2): base_y is lowered by
// g |y|^2, so that a true score is at least the found one less g |x|^2, and at most the found one
// plus spread_y + g |x|^2 with spread_y = 2 g |y|^2.
#pragma once

#include <vector>

#include "core/kernels.hpp"
#include "core/thread_team.hpp"
#include "neighbors/row_groups.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

class PackedRows {
 public:
  static constexpr std::size_t kBlock = 256;  // columns packed together

  /// A row for each group. 4 n d bytes.
  PackedRows(const FeatureRows& rows, const RowGroups& groups, ThreadTeam& team);

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t length() const { return rows_.length(); }
  [[nodiscard]] const std::vector<PackedColumns<float>>& blocks() const { return blocks_; }
  /// Of every row, infinite in the padding of the last block.
  [[nodiscard]] const std::vector<float>& base() const { return base_; }
  [[nodiscard]] const std::vector<float>& spread() const { return spread_; }

  /// Writes -2 x of a group.
  void query(std::size_t group, float* out) const;
  /// How far above the k-th smallest score + spread a score may lie and still count.
  [[nodiscard]] double allowance(std::size_t group) const;

 private:
  void scaled_row(std::size_t group, double* out) const;

  const FeatureRows& rows_;
  const RowGroups& groups_;
  std::size_t count_;
  double error_;  // g
  std::vector<double> centre_;
  double scale_ = 1;
  std::vector<PackedColumns<float>> blocks_;
  std::vector<float> base_;
  std::vector<float> spread_;
};

/// About the median of every column, from a thousand rows: unlike the mean it stays with the bulk
/// of the rows when a few lie very far out, and the bulk keeps its digits.
std::vector<double> sampled_median(const FeatureRows& rows);

}  // namespace shiftcut

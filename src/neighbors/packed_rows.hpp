// The different rows in float32, packed for products; with them a bound on what rounding does to a
// distance.
//   |x - y|^2 - |x|^2 = |y|^2 - 2 x.y = score,  found as base_y + (-2 x).y
// With g = (d + 8) 2^-24 the score's error is at most g (|x|^2 + |y|^2): base_y is lowered by
// g |y|^2, so that a true score is at least the found one less g |x|^2, and at most the found one
// plus spread_y + g |x|^2 with spread_y = 2 g |y|^2.
#pragma once

#include <vector>

#include "core/kernels/kernels.hpp"
#include "core/thread_team.hpp"
#include "neighbors/scaled_rows.hpp"

namespace shiftcut {

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

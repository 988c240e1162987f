// The rows y_i that linear and cosine similarities are products of, computed from the data when
// asked for.
#pragma once

#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

/// y_i = ((x_i - offset) * factor) / |...| - centre: the norm and the centre only under cosine.
class FeatureRows {
 public:
  /// Scaled and centred: the rows of the linear similarity.
  static FeatureRows centred(DenseArray data, const Scaling& scaling);

  /// Scaled, then of unit length (a zero row stays zero), then centred: those of the cosine.
  static FeatureRows unit_centred(DenseArray data, const Scaling& scaling, ThreadTeam& team);

  /// Scaled only.
  static FeatureRows scaled(DenseArray data, const Scaling& scaling);

  /// The data are the rows.
  static FeatureRows as_given(DenseArray data);

  [[nodiscard]] std::size_t size() const { return data_.rows(); }
  [[nodiscard]] std::size_t length() const { return data_.columns(); }
  [[nodiscard]] bool is_float32() const { return data_.is_float32(); }

  /// Writes y_i, `length()` numbers.
  void row(std::size_t i, double* out) const;

  /// Whether rows may be summed before they are scaled: they are not brought to unit length, and
  /// their offsets are not so large that digits would be lost.
  [[nodiscard]] bool can_sum_raw() const;
  /// Row i as the data has it, if that is in float32.
  [[nodiscard]] const float* raw_float32(std::size_t i) const { return data_.f32() + i * length(); }
  /// Adds row i as the data has it.
  void add_raw(std::size_t i, double* sums) const;
  /// From the sum of `count` such rows to the sum of their y, in place.
  void raw_to_scaled(double* sums, double count) const;

  /// What was subtracted from the unit rows; empty under `centred`.
  [[nodiscard]] const std::vector<double>& centre() const { return centre_; }
  /// About how long a row is; above 0.
  [[nodiscard]] double typical_norm() const { return typical_norm_; }
  [[nodiscard]] std::size_t zero_rows() const { return zero_rows_; }

 private:
  FeatureRows(DenseArray data, std::vector<double> offset, const Scaling& scaling)
      : data_(std::move(data)),
        offset_(std::move(offset)),
        factor_(scaling.factor),
        typical_norm_(scaling.root_mean_square > 0 ? scaling.root_mean_square : 1) {}

  DenseArray data_;
  std::vector<double> offset_;
  std::vector<double> factor_;
  std::vector<double> inverse_norm_;  // per row; empty: 1
  std::vector<double> centre_;
  double typical_norm_ = 1;
  std::size_t zero_rows_ = 0;
};

}  // namespace shiftcut

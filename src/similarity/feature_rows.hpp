// The rows y_i whose products are the linear and cosine similarities, computed from the data on
// demand: the data is never copied.
#pragma once

#include <span>
#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

/// y_i = ((x_i - offset) * factor) / |...| - centre; norm and centre apply to the cosine only.
class FeatureRows {
 public:
  /// Scaled and centred: for the linear similarity.
  static FeatureRows centred(DenseArray data, const Scaling& scaling);

  /// Scaled, normalised to unit length (a zero row stays zero), then centred: for the cosine.
  /// Rows count in the centre as often as `weights` says, once if that is empty.
  static FeatureRows unit_centred(DenseArray data, const Scaling& scaling, ThreadTeam& team,
                                  std::span<const double> weights = {});

  /// As the neighbours under `metric` are searched: scaled; for cosine and correlation also scaled
  /// to unit length, after subtracting each row's own mean for the correlation. A row without a
  /// direction gets one of its own, so that it is as far from all others as orthogonal rows are.
  static FeatureRows for_metric(Metric metric, DenseArray data, const Scaling& scaling,
                                ThreadTeam& team);

  /// Scaled only.
  static FeatureRows scaled(DenseArray data, const Scaling& scaling);

  /// The data as they are.
  static FeatureRows as_given(DenseArray data);

  [[nodiscard]] std::size_t size() const { return data_.rows(); }
  [[nodiscard]] std::size_t length() const { return data_.columns() + (is_unit_ ? 1 : 0); }
  [[nodiscard]] bool is_float32() const { return data_.is_float32(); }

  /// These rows of them, in this order; the data are not copied.
  [[nodiscard]] FeatureRows of(std::vector<std::uint32_t> rows) const;

  /// Every row times its weight, the sum of as many equal rows; as they are if there are none.
  [[nodiscard]] FeatureRows weighted(std::vector<double> weights) const;

  /// Writes y_i, `length()` numbers.
  void row(std::size_t i, double* out) const;

  /// Fetches the start of row i ahead of its use, for rows that do not lie in order.
  void prefetch(std::size_t i) const;

  /// Whether rows may be summed before they are scaled: they are not normalised, and their offsets
  /// are not so large that digits would be lost.
  [[nodiscard]] bool can_sum_raw() const;
  /// Row i of the data, if it is stored in float32.
  [[nodiscard]] const float* raw_float32(std::size_t i) const { return data_.f32_row(i); }
  /// Adds row i of the data.
  void add_raw(std::size_t i, double* sums) const;
  /// Turns the sum of `count` rows of the data into the sum of their y, in place.
  void raw_to_scaled(double* sums, double count) const;

  /// What was subtracted from the unit rows; empty under `centred`.
  [[nodiscard]] const std::vector<double>& centre() const { return centre_; }
  /// The typical length of a row; positive.
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
  bool is_unit_ = false;              // for_metric(): one more column, for rows without a direction
  bool is_row_centred_ = false;       // for_metric(): the correlation
  std::vector<double> inverse_norm_;  // per row; empty: 1
  std::vector<double> centre_;
  std::vector<double> weights_;  // that rows are multiplied by; empty: 1
  double typical_norm_ = 1;
  std::size_t zero_rows_ = 0;
};

}  // namespace shiftcut

#include "similarity/feature_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/kernels.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

FeatureRows FeatureRows::scaled(DenseArray data, const Scaling& scaling) {
  return {std::move(data), scaling.offset, scaling};
}

FeatureRows FeatureRows::as_given(DenseArray data) {
  const std::size_t d = data.columns();
  double squares = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      squares += data.at(i, j) * data.at(i, j);
    }
  }
  Scaling none;
  none.offset.assign(d, 0.0);
  none.factor.assign(d, 1.0);
  none.root_mean_square =
      std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, data.rows())));
  return {std::move(data), none.offset, none};
}

FeatureRows FeatureRows::centred(DenseArray data, const Scaling& scaling) {
  // Scaling and centring commute: subtract the mean whatever the scaling's own offset is.
  return {std::move(data), scaling.mean, scaling};
}

FeatureRows FeatureRows::unit_centred(DenseArray data, const Scaling& scaling, ThreadTeam& team) {
  FeatureRows rows = scaled(std::move(data), scaling);
  const std::size_t n = rows.size();
  const std::size_t d = rows.length();
  std::vector<double> inverse_norm(n, 0.0);
  std::vector<double> mean =
      sum_over_row_chunks(n, d, d, team, [&](std::size_t begin, std::size_t end, double* sums) {
        std::vector<double> row(d);
        for (std::size_t i = begin; i < end; ++i) {
          rows.row(i, row.data());
          const double norm = std::sqrt(dot(row.data(), row.data(), d));
          inverse_norm[i] = norm > 0 ? 1.0 / norm : 0.0;
          add_scaled(sums, inverse_norm[i], row.data(), d);
        }
      });
  for (double& m : mean) {
    m /= static_cast<double>(n);
  }
  for (const double inverse : inverse_norm) {
    rows.zero_rows_ += inverse == 0 ? 1 : 0;
  }
  const double spread = 1 - dot(mean.data(), mean.data(), d);
  rows.typical_norm_ = spread > 1e-6 ? std::sqrt(spread) : 1e-3;
  rows.inverse_norm_ = std::move(inverse_norm);
  rows.centre_ = std::move(mean);
  return rows;
}

void FeatureRows::row(std::size_t i, double* out) const {
  const std::size_t d = length();
  if (data_.is_float32()) {
    affine(out, data_.f32() + i * d, offset_.data(), factor_.data(), d);
  } else {
    affine(out, data_.f64() + i * d, offset_.data(), factor_.data(), d);
  }
  if (!inverse_norm_.empty()) {
    const double inverse = inverse_norm_[i];
    for (std::size_t j = 0; j < d; ++j) {
      out[j] = out[j] * inverse - centre_[j];
    }
  }
}

bool FeatureRows::can_sum_raw() const {
  constexpr double kLargestOffset = 1e3;  // in units of the spread: costs three digits of sixteen
  double largest = 0;
  for (std::size_t j = 0; j < length(); ++j) {
    largest = std::max(largest, std::abs(offset_[j] * factor_[j]));
  }
  return inverse_norm_.empty() && largest <= kLargestOffset * typical_norm_;
}

void FeatureRows::add_raw(std::size_t i, double* sums) const {
  const std::size_t d = length();
  if (data_.is_float32()) {
    add_scaled(sums, 1, data_.f32() + i * d, d);
  } else {
    add_scaled(sums, 1, data_.f64() + i * d, d);
  }
}

void FeatureRows::raw_to_scaled(double* sums, double count) const {
  for (std::size_t j = 0; j < length(); ++j) {
    sums[j] = (sums[j] - count * offset_[j]) * factor_[j];
  }
}

}  // namespace shiftcut

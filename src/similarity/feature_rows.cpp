#include "similarity/feature_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/kernels/kernels.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kRowsPerChunk = 1024;

// What rounding leaves of a constant row is none.
void subtract_own_mean(double* row, std::size_t length) {
  double sum = 0;
  double largest = 0;
  for (std::size_t j = 0; j < length; ++j) {
    sum += row[j];
    largest = std::max(largest, std::abs(row[j]));
  }
  const double mean = sum / static_cast<double>(length);
  for (std::size_t j = 0; j < length; ++j) {
    row[j] -= mean;
    if (std::abs(row[j]) <= 1e-14 * largest) {
      row[j] = 0;
    }
  }
}

}  // namespace

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

FeatureRows FeatureRows::unit_centred(DenseArray data, const Scaling& scaling, ThreadTeam& team,
                                      std::span<const double> weights) {
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
          add_scaled(sums, inverse_norm[i] * (weights.empty() ? 1 : weights[i]), row.data(), d);
        }
      });
  const double all = weights.empty() ? static_cast<double>(n)
                                     : std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& m : mean) {
    m /= all;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto count = weights.empty() ? 1 : std::max(1LL, std::llround(weights[i]));
    rows.zero_rows_ += inverse_norm[i] == 0 ? static_cast<std::size_t>(count) : 0;
  }
  const double spread = 1 - dot(mean.data(), mean.data(), d);
  rows.typical_norm_ = spread > 1e-6 ? std::sqrt(spread) : 1e-3;
  rows.inverse_norm_ = std::move(inverse_norm);
  rows.centre_ = std::move(mean);
  return rows;
}

FeatureRows FeatureRows::of(std::vector<std::uint32_t> rows) const {
  FeatureRows some = *this;
  const auto select = [&](std::vector<double>& values, const std::vector<double>& from) {
    if (!from.empty()) {
      values.clear();
      for (const std::uint32_t row : rows) {
        values.push_back(from[row]);
      }
    }
  };
  select(some.inverse_norm_, inverse_norm_);
  select(some.weights_, weights_);
  some.data_ = data_.with_rows(std::move(rows));
  return some;
}

FeatureRows FeatureRows::weighted(std::vector<double> weights) const {
  FeatureRows rows = *this;
  if (!weights.empty()) {
    const double squares = std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0);
    rows.typical_norm_ *= std::sqrt(squares / static_cast<double>(weights.size()));
    rows.weights_ = std::move(weights);
  }
  return rows;
}

FeatureRows FeatureRows::for_metric(Metric metric, DenseArray data, const Scaling& scaling,
                                    ThreadTeam& team) {
  FeatureRows rows = scaled(std::move(data), scaling);
  if (metric != Metric::cosine && metric != Metric::correlation) {
    return rows;
  }
  rows.is_row_centred_ = metric == Metric::correlation;
  const std::size_t d = rows.length();
  std::vector<double> inverse_norm(rows.size(), 0.0);
  for_each_row_chunk(rows.size(), kRowsPerChunk, team,
                     [&](std::size_t begin, std::size_t end, int) {
                       std::vector<double> row(d);
                       for (std::size_t i = begin; i < end; ++i) {
                         rows.row(i, row.data());
                         const double norm = std::sqrt(dot(row.data(), row.data(), d));
                         inverse_norm[i] = norm > 0 ? 1.0 / norm : 0.0;
                       }
                     });
  rows.zero_rows_ = static_cast<std::size_t>(std::ranges::count(inverse_norm, 0.0));
  rows.inverse_norm_ = std::move(inverse_norm);
  rows.is_unit_ = true;
  rows.typical_norm_ = 1;
  return rows;
}

void FeatureRows::row(std::size_t i, double* out) const {
  const std::size_t d = data_.columns();
  if (data_.is_float32()) {
    affine(out, data_.f32_row(i), offset_.data(), factor_.data(), d);
  } else if (data_.is_fetched()) {
    data_.fetch_row(i, out);
    affine(out, out, offset_.data(), factor_.data(), d);
  } else {
    affine(out, data_.f64_row(i), offset_.data(), factor_.data(), d);
  }
  if (is_row_centred_) {
    subtract_own_mean(out, d);
  }
  if (is_unit_) {
    for (std::size_t j = 0; j < d; ++j) {
      out[j] *= inverse_norm_[i];
    }
    out[d] = inverse_norm_[i] == 0 ? 1 : 0;
  } else if (!inverse_norm_.empty()) {
    const double inverse = inverse_norm_[i];
    for (std::size_t j = 0; j < d; ++j) {
      out[j] = out[j] * inverse - centre_[j];
    }
  }
  if (!weights_.empty()) {
    for (std::size_t j = 0; j < d; ++j) {
      out[j] *= weights_[i];
    }
  }
}

void FeatureRows::prefetch(std::size_t i) const {
  if (data_.is_fetched()) {
    return;
  }
  constexpr std::size_t kLine = 64;  // bytes
  constexpr std::size_t kMostBytes = 8 * kLine;
  const auto fetch = [&](const auto* row) {
    const std::size_t bytes = std::min(kMostBytes, data_.columns() * sizeof(*row));
    for (std::size_t byte = 0; byte < bytes; byte += kLine) {
      __builtin_prefetch(reinterpret_cast<const char*>(row) + byte);
    }
  };
  data_.is_float32() ? fetch(data_.f32_row(i)) : fetch(data_.f64_row(i));
}

bool FeatureRows::can_sum_raw() const {
  constexpr double kLargestOffset = 1e3;  // in units of the spread: costs three digits of sixteen
  double largest = 0;
  for (std::size_t j = 0; j < length(); ++j) {
    largest = std::max(largest, std::abs(offset_[j] * factor_[j]));
  }
  return inverse_norm_.empty() && weights_.empty() && largest <= kLargestOffset * typical_norm_;
}

void FeatureRows::add_raw(std::size_t i, double* sums) const {
  const std::size_t d = length();
  if (data_.is_float32()) {
    add_scaled(sums, 1, data_.f32_row(i), d);
  } else {
    add_scaled(sums, 1, data_.f64_row(i), d);
  }
}

void FeatureRows::raw_to_scaled(double* sums, double count) const {
  for (std::size_t j = 0; j < length(); ++j) {
    sums[j] = (sums[j] - count * offset_[j]) * factor_[j];
  }
}

}  // namespace shiftcut

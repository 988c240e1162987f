#include "feedback/mean_field.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/elementary.hpp"
#include "core/kernels/kernels.hpp"

namespace shiftcut {

namespace {

void softmax(std::span<double> values) {
  const double largest = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (double& value : values) {
    value = portable_exp(value - largest);
    sum += value;
  }
  for (double& value : values) {
    value /= sum;
  }
}

}  // namespace

double MeanField::together(std::size_t i, std::size_t j) const {
  return dot(chances.data() + i * clusters, chances.data() + j * clusters, clusters);
}

MeanField mean_field(std::span<const double> similarities, std::span<const double> outside,
                     MeanField start, double beta, int most, double tolerance) {
  const std::size_t k = start.clusters;
  const std::size_t m = start.chances.size() / std::max<std::size_t>(1, k);
  MeanField now = std::move(start);
  std::vector<double> next(now.chances.size());
  for (int round = 0; round < most; ++round) {
    if (outside.empty()) {
      std::fill(next.begin(), next.end(), 0.0);
    } else {
      std::copy(outside.begin(), outside.end(), next.begin());
    }
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        const double s = similarities[i * m + j];
        if (s != 0) {
          add_scaled(next.data() + i * k, s, now.chances.data() + j * k, k);
        }
      }
      const auto row = std::span(next).subspan(i * k, k);
      for (double& value : row) {
        value *= beta;
      }
      softmax(row);
    }
    double squares = 0;
    for (std::size_t e = 0; e < next.size(); ++e) {
      squares += (next[e] - now.chances[e]) * (next[e] - now.chances[e]);
    }
    std::swap(now.chances, next);
    if (squares < tolerance * tolerance) {
      break;
    }
  }
  return now;
}

double binary_entropy(double p) {
  return p <= 0 || p >= 1 ? 0 : -p * portable_log(p) - (1 - p) * portable_log1p(-p);
}

}  // namespace shiftcut

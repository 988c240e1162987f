#include "feedback/pair_scores.hpp"

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

bool is_inconsistent(const Sides& sides) {
  return std::ranges::count_if(sides, [](double side) { return side > 0; }) == 2;
}

std::array<double, 5> grouping_costs(const Sides& sides) {
  constexpr std::array<std::array<bool, 3>, 5> kWithin = {{{true, true, true},
                                                           {true, false, false},
                                                           {false, true, false},
                                                           {false, false, true},
                                                           {false, false, false}}};
  std::array<double, 5> costs{};
  for (std::size_t g = 0; g < costs.size(); ++g) {
    for (std::size_t s = 0; s < sides.size(); ++s) {
      costs[g] += std::max(0.0, kWithin[g][s] ? -sides[s] : sides[s]);
    }
  }
  return costs;
}

double expected_cost(const Sides& sides, double beta) {
  double sum = 0;
  double weights = 0;
  for (const double cost : grouping_costs(sides)) {
    const double weight = portable_exp(-beta * cost);
    sum += weight * cost;
    weights += weight;
  }
  return sum / weights;
}

std::size_t weakest_side(const Sides& sides) {
  const auto weakest =
      std::ranges::min_element(sides, [](double a, double b) { return std::abs(a) < std::abs(b); });
  return static_cast<std::size_t>(weakest - sides.begin());
}

}  // namespace shiftcut

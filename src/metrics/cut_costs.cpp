#include "metrics/cut_costs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace shiftcut {

namespace {

// Calls visit(i, j, weight) for every entry that is there.
template <class Visit>
void for_each_weight(const DenseArray& weights, const Visit& visit) {
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    for (std::size_t j = 0; j < weights.columns(); ++j) {
      visit(i, j, weights.at(i, j));
    }
  }
}

template <class Visit>
void for_each_weight(const SparseMatrix& weights, const Visit& visit) {
  for (std::size_t i = 0; i < weights.rows; ++i) {
    for (auto e = static_cast<std::size_t>(weights.offsets[i]);
         e < static_cast<std::size_t>(weights.offsets[i + 1]); ++e) {
      visit(i, weights.columns[e], weights.values[e]);
    }
  }
}

}  // namespace

CutCosts::CutCosts(const std::variant<DenseArray, SparseMatrix>& weights,
                   std::span<const ClusterId> labels) {
  const std::size_t count =
      labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  size_.assign(count, 0.0);
  between_.assign(count * count, 0.0);
  for (const ClusterId k : labels) {
    size_[k] += 1;
  }
  const auto empty = std::find(size_.begin(), size_.end(), 0.0);
  if (empty != size_.end()) {
    throw std::invalid_argument(
        fmt::format("labels: found no object in cluster {}; allowed: clusters that are not empty",
                    empty - size_.begin()));
  }
  const auto add = [&](std::size_t i, std::size_t j, double weight) {
    between_[labels[i] * count + labels[j]] += weight;
  };
  std::visit([&](const auto& w) { for_each_weight(w, add); }, weights);
}

double CutCosts::volume(std::size_t k) const {
  double sum = 0;
  for (std::size_t l = 0; l < clusters(); ++l) {
    sum += between(k, l);
  }
  return sum;
}

double CutCosts::min_cut() const {
  double sum = 0;
  for (std::size_t k = 0; k < clusters(); ++k) {
    sum += volume(k) - between(k, k);
  }
  return sum;
}

double CutCosts::ratio_association() const {
  double sum = 0;
  for (std::size_t k = 0; k < clusters(); ++k) {
    sum -= between(k, k) / size_[k];
  }
  return sum;
}

double CutCosts::ratio_cut() const {
  double sum = 0;
  for (std::size_t k = 0; k < clusters(); ++k) {
    sum += (volume(k) - between(k, k)) / size_[k];
  }
  return sum;
}

double CutCosts::normalized_cut() const {
  double sum = 0;
  for (std::size_t k = 0; k < clusters(); ++k) {
    if (volume(k) == 0) {
      throw std::invalid_argument(fmt::format(
          "normalized cut: found no weight at cluster {}; allowed: volumes other than 0", k));
    }
    sum += (volume(k) - between(k, k)) / volume(k);
  }
  return sum;
}

// By logarithms: with p near 1 the powers themselves overflow. With a = -log|k|/(p-1) the larger
// and b the smaller, (e^a + e^b)^(p-1) = exp((p-1) (a + log(1 + e^(b-a)))).
double CutCosts::adaptive_ratio_cut(double p) const {
  if (!(p > 1)) {
    throw std::invalid_argument(
        fmt::format("adaptive ratio cut: found p = {}; allowed: above 1", p));
  }
  double sum = 0;
  for (std::size_t k = 0; k < clusters(); ++k) {
    for (std::size_t l = k + 1; l < clusters(); ++l) {
      const double a = -std::log(std::min(size_[k], size_[l])) / (p - 1);
      const double b = -std::log(std::max(size_[k], size_[l])) / (p - 1);
      sum += between(k, l) * std::exp((p - 1) * (a + std::log1p(std::exp(b - a))));
    }
  }
  return sum;
}

}  // namespace shiftcut

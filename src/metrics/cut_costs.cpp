#include "metrics/cut_costs.hpp"

#include <algorithm>

#include "core/message.hpp"
#include "metrics/cut_terms.hpp"

namespace shiftcut {

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
    refuse("out_of_range", "",
           "labels: found no object in cluster {}; allowed: clusters that are not empty",
           empty - size_.begin());
  }
  for_each_weight(weights, [&](std::size_t i, std::size_t j, double weight) {
    between_[labels[i] * count + labels[j]] += weight;
  });
}

ClusterSums CutCosts::sums(std::size_t k) const {
  double volume = 0;
  for (std::size_t l = 0; l < clusters(); ++l) {
    volume += between(k, l);
  }
  return {size_[k], between(k, k), volume};
}

template <class Term>
double CutCosts::sum_of() const {
  double sum = 0;
  for (std::size_t k = 0; k < clusters(); ++k) {
    sum += Term::of(sums(k));
  }
  return sum;
}

double CutCosts::min_cut() const { return sum_of<MinCutTerm>(); }

double CutCosts::ratio_association() const { return sum_of<RatioAssociationTerm>(); }

double CutCosts::ratio_cut() const { return sum_of<RatioCutTerm>(); }

double CutCosts::normalized_cut() const {
  for (std::size_t k = 0; k < clusters(); ++k) {
    if (sums(k).volume == 0) {
      refuse("out_of_range", "",
             "normalized cut: found no weight at cluster {}; allowed: volumes other than 0", k);
    }
  }
  return sum_of<NormalizedCutTerm>();
}

double CutCosts::adaptive_ratio_cut(double p) const {
  if (!(p > 1)) {
    refuse("out_of_range", "", "adaptive ratio cut: found p = {}; allowed: above 1", p);
  }
  double sum = 0;
  for (std::size_t k = 0; k < clusters(); ++k) {
    for (std::size_t l = k + 1; l < clusters(); ++l) {
      sum += between(k, l) * adaptive_weight(size_[k], size_[l], p);
    }
  }
  return sum;
}

}  // namespace shiftcut

// The classical costs of cutting a graph into clusters, from one pass over its weights.
// With cut(k) the weight from k to all others, vol(k) the degrees in k, W_kk the weight inside k
// (both over ordered pairs, the diagonal included, so cut = vol - W_kk), |k| the size:
//   min cut              sum cut(k)
//   ratio association    - sum W_kk / |k|
//   ratio cut            sum cut(k) / |k|
//   normalized cut       sum cut(k) / vol(k)                                (Shi, Malik 2000)
//   adaptive ratio cut   sum over k < l of cut(k, l) (|k|^(-1/(p-1)) + |l|^(-1/(p-1)))^(p-1), p > 1
//                        (Buehler, Hein 2009); p = 2 is the ratio cut
// Adding a constant to all weights does not change how ratio association and ratio cut rank
// groupings into a fixed number of non-empty clusters; it does change the ranking by the others.
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "core/partition.hpp"
#include "metrics/cut_terms.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

class CutCosts {
 public:
  /// `weights` is square and symmetric. Clusters are 0 .. largest label; throws
  /// std::invalid_argument if one of them is empty.
  CutCosts(const std::variant<DenseArray, SparseMatrix>& weights,
           std::span<const ClusterId> labels);

  [[nodiscard]] double min_cut() const;
  [[nodiscard]] double ratio_association() const;
  [[nodiscard]] double ratio_cut() const;
  /// Throws std::invalid_argument where a cluster has no volume.
  [[nodiscard]] double normalized_cut() const;
  /// Throws std::invalid_argument unless p > 1.
  [[nodiscard]] double adaptive_ratio_cut(double p) const;

 private:
  [[nodiscard]] std::size_t clusters() const { return size_.size(); }
  [[nodiscard]] double between(std::size_t k, std::size_t l) const {
    return between_[k * clusters() + l];
  }
  [[nodiscard]] ClusterSums sums(std::size_t k) const;
  template <class Term>
  [[nodiscard]] double sum_of() const;

  std::vector<double> size_;
  std::vector<double> between_;  // K x K: summed weights from cluster to cluster
};

/// Calls visit(i, j, weight) for every stored entry of a dense or sparse matrix, row by row.
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
      visit(i, std::size_t{weights.columns[e]}, weights.values[e]);
    }
  }
}

template <class Visit>
void for_each_weight(const std::variant<DenseArray, SparseMatrix>& weights, const Visit& visit) {
  std::visit([&](const auto& w) { for_each_weight(w, visit); }, weights);
}

}  // namespace shiftcut

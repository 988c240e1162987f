// The classical costs of cutting a graph into clusters, from one pass over its weights.
// With cut(k) the weight from k to all others, vol(k) the degrees in k, W_kk the weight inside k
// (both over ordered pairs, the diagonal included, so cut = vol - W_kk), |k| the size:
//   min cut              sum cut(k)
//   ratio association    - sum W_kk / |k|
//   ratio cut            sum cut(k) / |k|
//   normalized cut       sum cut(k) / vol(k)                                (Shi, Malik 2000)
//   adaptive ratio cut   sum over k < l of cut(k, l) (|k|^(-1/(p-1)) + |l|^(-1/(p-1)))^(p-1), p > 1
//                        (Buehler, Hein 2009); p = 2 is the ratio cut
// A constant added to all weights leaves the order of ratio association and ratio cut alone, for a
// fixed number of clusters none of which is empty; not that of the other two.
#pragma once

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

}  // namespace shiftcut

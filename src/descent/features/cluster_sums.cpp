#include "descent/features/cluster_sums.hpp"

#include <algorithm>

#include "core/kernels/kernels.hpp"

namespace shiftcut {

namespace {

// The index of cluster k in the list, or its size; at once if the list is 0, 1, 2 ...
std::size_t index_of(ClusterId k, std::span<const ClusterId> clusters) {
  if (k < clusters.size() && clusters[k] == k) {
    return k;
  }
  return static_cast<std::size_t>(std::find(clusters.begin(), clusters.end(), k) -
                                  clusters.begin());
}

void add_pairs(const PairTerms& pairs, ObjectId object, const SoftLabels& labels,
               std::span<const ClusterId> clusters, double* out) {
  pairs.for_each(object, [&](ObjectId other, double value) {
    const std::size_t place = index_of(labels.of[other], clusters);
    if (place < clusters.size()) {
      out[place] += labels.weight(other) * value;
    }
  });
}

}  // namespace

void ClusterSums<GramProblem>::add(ObjectId object, ClusterId cluster, double weight) {
  problem_.x_row(object, truth_, row_.data());
  problem_.x_to_z(object, row_.data());
  const std::size_t length = problem_.length();
  add_scaled(&sums_[cluster * length], weight, row_.data(), length);
}

void ClusterSums<GramProblem>::affinities(ObjectId object, const SoftLabels& labels,
                                          std::span<const ClusterId> clusters, double* out) {
  const std::size_t length = problem_.length();
  problem_.x_row(object, truth_, row_.data());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out[c] = dot(row_.data(), &sums_[clusters[c] * length], length);
    if (clusters[c] == labels.of[object]) {
      out[c] -= labels.weight(object) * problem_.self(object, row_.data());
    }
  }
  add_pairs(problem_.pairs(), object, labels, clusters, out);
}

void ClusterSums<SparseGramProblem>::make_room(std::size_t clusters) {
  count_ = clusters;
  products_.resize(clusters);
  if (clusters <= stride_) {
    return;
  }
  const std::size_t stride = stride_ == 0 ? clusters : 2 * clusters;
  std::vector<double> sums(problem_.dimensions() * stride, 0.0);
  for (std::size_t j = 0; j < problem_.dimensions(); ++j) {
    std::copy_n(sums_.begin() + static_cast<std::ptrdiff_t>(j * stride_), stride_,
                sums.begin() + static_cast<std::ptrdiff_t>(j * stride));
  }
  sums_ = std::move(sums);
  stride_ = stride;
  counts_.resize(stride_, 0.0);
  p_sums_.resize(stride_, 0.0);
}

void ClusterSums<SparseGramProblem>::add(ObjectId object, ClusterId cluster, double weight) {
  const auto columns = problem_.columns(object);
  const auto entries = problem_.entries(object);
  for (std::size_t e = 0; e < columns.size(); ++e) {
    sums_[columns[e] * stride_ + cluster] += weight * entries[e];
  }
  counts_[cluster] += weight * problem_.node_weight(object);
  p_sums_[cluster] += weight * problem_.p(object);
}

void ClusterSums<SparseGramProblem>::affinities(ObjectId object, const SoftLabels& labels,
                                                std::span<const ClusterId> clusters, double* out) {
  // A plain loop: with few clusters, a kernel call per entry makes a descent take 20% longer.
  std::fill(products_.begin(), products_.end(), 0.0);
  const auto columns = problem_.columns(object);
  const auto entries = problem_.entries(object);
  for (std::size_t e = 0; e < columns.size(); ++e) {
    const double* sums = &sums_[columns[e] * stride_];
    const double entry = entries[e];
    for (std::size_t k = 0; k < count_; ++k) {
      products_[k] += entry * sums[k];
    }
  }
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const ClusterId k = clusters[c];
    out[c] = problem_.affinity(object, products_[k], counts_[k], p_sums_[k]);
  }
  if (const std::size_t own = index_of(labels.of[object], clusters); own < clusters.size()) {
    out[own] -= labels.weight(object) * problem_.self(object);
  }
  add_pairs(problem_.pairs(), object, labels, clusters, out);
}

void ClusterSums<DenseProblem>::make_room(std::size_t clusters) {
  table_.resize(clusters, std::vector<double>(problem_.size(), 0.0));
  counts_.resize(clusters, 0.0);
  degrees_.resize(clusters, 0.0);
}

void ClusterSums<DenseProblem>::add(ObjectId object, ClusterId cluster, double weight) {
  const DenseArray& matrix = problem_.matrix();
  const std::size_t n = problem_.size();
  if (matrix.is_float32()) {
    add_scaled(table_[cluster].data(), weight, matrix.f32() + object * n, n);
  } else {
    add_scaled(table_[cluster].data(), weight, matrix.f64() + object * n, n);
  }
  counts_[cluster] += weight;
  degrees_[cluster] += weight * problem_.degree(object);
}

void ClusterSums<DenseProblem>::affinities(ObjectId object, const SoftLabels& labels,
                                           std::span<const ClusterId> clusters, double* out) {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const ClusterId k = clusters[c];
    out[c] = problem_.affinity(object, table_[k][object], counts_[k], degrees_[k]);
    if (k == labels.of[object]) {
      out[c] -= labels.weight(object) * problem_.self(object);
    }
  }
}

void ClusterSums<GraphProblem>::make_room(std::size_t clusters) {
  counts_.resize(clusters, 0.0);
  degrees_.resize(clusters, 0.0);
  weight_to_.resize(clusters, 0.0);
  is_listed_.resize(clusters, false);
}

void ClusterSums<GraphProblem>::add(ObjectId object, ClusterId cluster, double weight) {
  counts_[cluster] += weight * problem_.node_weight(object);
  degrees_[cluster] += weight * problem_.degree(object);
}

void ClusterSums<GraphProblem>::affinities(ObjectId object, const SoftLabels& labels,
                                           std::span<const ClusterId> clusters, double* out) {
  const auto neighbors = problem_.neighbors(object);
  const auto weights = problem_.weights(object);
  for (std::size_t e = 0; e < neighbors.size(); ++e) {
    if (neighbors[e] != object) {
      weight_to_[labels.of[neighbors[e]]] += labels.weight(neighbors[e]) * weights[e];
    }
  }
  const ClusterId own = labels.of[object];
  const double weight = labels.weight(object);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const ClusterId k = clusters[c];
    out[c] = k == own ? problem_.affinity(object, weight_to_[k],
                                          counts_[k] - weight * problem_.node_weight(object),
                                          degrees_[k] - weight * problem_.degree(object))
                      : problem_.affinity(object, weight_to_[k], counts_[k], degrees_[k]);
  }
  for (const ObjectId neighbor : neighbors) {
    weight_to_[labels.of[neighbor]] = 0;
  }
}

void ClusterSums<GraphProblem>::list_near(ObjectId object, const SoftLabels& labels,
                                          std::vector<ClusterId>& near) {
  near.assign(1, labels.of[object]);
  is_listed_[near[0]] = true;
  for (const ObjectId neighbor : problem_.neighbors(object)) {
    const ClusterId k = labels.of[neighbor];
    if (!is_listed_[k]) {
      is_listed_[k] = true;
      near.push_back(k);
    }
  }
  for (const ClusterId k : near) {
    is_listed_[k] = false;
  }
}

}  // namespace shiftcut

#include "relaxed/soft_assignment.hpp"

#include "core/kernels/kernels.hpp"

namespace shiftcut {

namespace {

void add_pairs(const PairTerms& pairs, ObjectId object, const Members& members,
               std::span<const ClusterId> clusters, double* out) {
  pairs.for_each(object, [&](ObjectId other, double value) {
    const auto place = std::find(clusters.begin(), clusters.end(), members.labels[other]);
    if (place != clusters.end()) {
      out[place - clusters.begin()] += members.share(other) * value;
    }
  });
}

}  // namespace

void ShareSums<GramProblem>::add(ObjectId object, ClusterId cluster, double share) {
  problem_.x_row(object, truth_, row_.data());
  problem_.x_to_z(object, row_.data());
  const std::size_t length = problem_.length();
  add_scaled(&sums_[cluster * length], share, row_.data(), length);
}

void ShareSums<GramProblem>::look(ObjectId object, const Members& members,
                                  std::span<const ClusterId> clusters, double* out) {
  const std::size_t length = problem_.length();
  problem_.x_row(object, truth_, row_.data());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out[c] = dot(row_.data(), &sums_[clusters[c] * length], length);
    if (clusters[c] == members.labels[object]) {
      out[c] -= members.share(object) * problem_.self(object, row_.data());
    }
  }
  add_pairs(problem_.pairs(), object, members, clusters, out);
}

void ShareSums<SparseGramProblem>::make_room(std::size_t clusters) {
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
  p_sum_.resize(stride_, 0.0);
  products_.resize(stride_);
}

void ShareSums<SparseGramProblem>::add(ObjectId object, ClusterId cluster, double share) {
  const auto columns = problem_.columns(object);
  const auto entries = problem_.entries(object);
  for (std::size_t e = 0; e < columns.size(); ++e) {
    sums_[columns[e] * stride_ + cluster] += share * entries[e];
  }
  counts_[cluster] += share * problem_.mass(object);
  p_sum_[cluster] += share * problem_.p(object);
}

void ShareSums<SparseGramProblem>::look(ObjectId object, const Members& members,
                                        std::span<const ClusterId> clusters, double* out) {
  std::fill(products_.begin(), products_.end(), 0.0);
  const auto columns = problem_.columns(object);
  const auto entries = problem_.entries(object);
  for (std::size_t e = 0; e < columns.size(); ++e) {
    add_scaled(products_.data(), entries[e], &sums_[columns[e] * stride_], stride_);
  }
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const ClusterId k = clusters[c];
    out[c] = problem_.affinity(object, products_[k], counts_[k], p_sum_[k]);
    if (k == members.labels[object]) {
      out[c] -= members.share(object) * problem_.self(object);
    }
  }
  add_pairs(problem_.pairs(), object, members, clusters, out);
}

void ShareSums<DenseProblem>::make_room(std::size_t clusters) {
  table_.resize(clusters, std::vector<double>(problem_.size(), 0.0));
  counts_.resize(clusters, 0.0);
  degrees_.resize(clusters, 0.0);
}

void ShareSums<DenseProblem>::add(ObjectId object, ClusterId cluster, double share) {
  const DenseArray& matrix = problem_.matrix();
  const std::size_t n = problem_.size();
  if (matrix.is_float32()) {
    add_scaled(table_[cluster].data(), share, matrix.f32() + object * n, n);
  } else {
    add_scaled(table_[cluster].data(), share, matrix.f64() + object * n, n);
  }
  counts_[cluster] += share;
  degrees_[cluster] += share * problem_.degree(object);
}

void ShareSums<DenseProblem>::look(ObjectId object, const Members& members,
                                   std::span<const ClusterId> clusters, double* out) {
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const ClusterId k = clusters[c];
    out[c] = problem_.affinity(object, table_[k][object], counts_[k], degrees_[k]);
    if (k == members.labels[object]) {
      out[c] -= members.share(object) * problem_.self(object);
    }
  }
}

void ShareSums<GraphProblem>::make_room(std::size_t clusters) {
  counts_.resize(clusters, 0.0);
  degrees_.resize(clusters, 0.0);
  weight_to_.resize(clusters, 0.0);
  listed_.resize(clusters, false);
}

void ShareSums<GraphProblem>::add(ObjectId object, ClusterId cluster, double share) {
  counts_[cluster] += share * problem_.mass(object);
  degrees_[cluster] += share * problem_.degree(object);
}

void ShareSums<GraphProblem>::look(ObjectId object, const Members& members,
                                   std::span<const ClusterId> clusters, double* out) {
  const auto neighbors = problem_.neighbors(object);
  const auto weights = problem_.weights(object);
  for (std::size_t e = 0; e < neighbors.size(); ++e) {
    if (neighbors[e] != object) {
      weight_to_[members.labels[neighbors[e]]] += members.share(neighbors[e]) * weights[e];
    }
  }
  const ClusterId own = members.labels[object];
  const double share = members.share(object);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const ClusterId k = clusters[c];
    out[c] = k == own ? problem_.affinity(object, weight_to_[k],
                                          counts_[k] - share * problem_.mass(object),
                                          degrees_[k] - share * problem_.degree(object))
                      : problem_.affinity(object, weight_to_[k], counts_[k], degrees_[k]);
  }
  for (const ObjectId neighbor : neighbors) {
    weight_to_[members.labels[neighbor]] = 0;
  }
}

void ShareSums<GraphProblem>::list_near(ObjectId object, const Members& members,
                                        std::vector<ClusterId>& near) {
  near.assign(1, members.labels[object]);
  listed_[near[0]] = true;
  for (const ObjectId neighbor : problem_.neighbors(object)) {
    const ClusterId k = members.labels[neighbor];
    if (!listed_[k]) {
      listed_[k] = true;
      near.push_back(k);
    }
  }
  for (const ClusterId k : near) {
    listed_[k] = false;
  }
}

}  // namespace shiftcut

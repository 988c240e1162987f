#include "methods/cuts/cut_links.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/kernels.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

struct LinkSums {
  double self = 0;
  double absolute = 0;
};

LinkSums row_sums(const DenseArray& similarities, std::size_t i) {
  const std::size_t n = similarities.columns();
  const double* row = similarities.f64() + i * n;
  LinkSums sums{row[i], 0};
  for (std::size_t j = 0; j < n; ++j) {
    sums.absolute += std::abs(row[j]);
  }
  return sums;
}

LinkSums row_sums(const SparseMatrix& similarities, std::size_t i) {
  LinkSums sums;
  for (auto e = static_cast<std::size_t>(similarities.offsets[i]);
       e < static_cast<std::size_t>(similarities.offsets[i + 1]); ++e) {
    sums.absolute += std::abs(similarities.values[e]);
    sums.self = similarities.columns[e] == i ? similarities.values[e] : sums.self;
  }
  return sums;
}

}  // namespace

ObjectSums object_sums(const Similarities& similarities, ThreadTeam& team) {
  constexpr std::size_t kRows = 64;  // a task
  const std::size_t n = objects(similarities);
  ObjectSums sums{degrees(similarities, team), std::vector<double>(n), 0};
  std::vector<double> absolute(n);
  team.for_each((n + kRows - 1) / kRows, [&](std::size_t task, int) {
    for (std::size_t i = task * kRows; i < std::min(n, (task + 1) * kRows); ++i) {
      const LinkSums row = std::visit([&](const auto& x) { return row_sums(x, i); }, similarities);
      sums.self[i] = row.self;
      absolute[i] = row.absolute;
    }
  });
  sums.largest = *std::max_element(absolute.begin(), absolute.end());
  return sums;
}

DenseLinks::DenseLinks(const DenseArray& similarities, std::span<const ClusterId> labels,
                       std::size_t clusters)
    : similarities_(similarities.f64()), n_(labels.size()), table_(clusters * n_, 0.0) {
  for (std::size_t i = 0; i < n_; ++i) {
    add_scaled(&table_[labels[i] * n_], 1, similarities_ + i * n_, n_);
  }
}

void DenseLinks::move(ObjectId object, ClusterId from, ClusterId to) {
  move_between(&table_[from * n_], &table_[to * n_], 1, similarities_ + object * n_, n_);
}

void GraphLinks::read(ObjectId object, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (auto e = static_cast<std::size_t>(similarities_.offsets[object]);
       e < static_cast<std::size_t>(similarities_.offsets[object + 1]); ++e) {
    out[labels_[similarities_.columns[e]]] += similarities_.values[e];
  }
}

}  // namespace shiftcut::methods

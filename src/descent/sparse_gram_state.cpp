#include "descent/sparse_gram_state.hpp"

#include "descent/best_move.hpp"
#include "descent/visit_in_order.hpp"

namespace shiftcut {

SparseGramState::SparseGramState(const SparseGramProblem& problem, std::vector<ClusterId> labels,
                                 std::optional<std::size_t> clusters)
    : problem_(problem), labels_(std::move(labels)), slots_(labels_, clusters, problem.masses()) {
  make_room(slots_.count());
  for (ObjectId i = 0; i < labels_.size(); ++i) {
    add(i, labels_[i], 1);
  }
}

std::size_t SparseGramState::sweep(const SweepOrder& order, StopCheck& stop) {
  std::size_t moves = 0;
  visit_in_order(order, stop, [&](ObjectId object) {
    const ClusterId own = labels_[object];
    const ClusterId to = judge(object);
    if (to != own) {
      add(object, own, -1);
      add(object, to, 1);
      labels_[object] = to;
      slots_.move(own, to, problem_.mass(object));
      make_room(slots_.count());
      ++moves;
    }
  });
  return moves;
}

ClusterId SparseGramState::judge(ObjectId object) {
  const ClusterId own = labels_[object];
  const std::size_t clusters = slots_.count();
  affinities_.assign(clusters, 0.0);
  const auto columns = problem_.columns(object);
  const auto entries = problem_.entries(object);
  for (std::size_t e = 0; e < columns.size(); ++e) {
    const double* sums = &sums_[columns[e] * stride_];
    for (std::size_t k = 0; k < clusters; ++k) {
      affinities_[k] += entries[e] * sums[k];
    }
  }
  for (ClusterId k = 0; k < clusters; ++k) {
    affinities_[k] = problem_.affinity(object, affinities_[k], slots_.size(k), p_sum_[k]);
  }
  affinities_[own] -= problem_.self(object);
  problem_.pairs().for_each(
      object, [&](ObjectId other, double value) { affinities_[labels_[other]] += value; });
  return best_move(affinities_, own, problem_.tolerance()).to;
}

void SparseGramState::add(ObjectId object, ClusterId cluster, double sign) {
  const auto columns = problem_.columns(object);
  const auto entries = problem_.entries(object);
  for (std::size_t e = 0; e < columns.size(); ++e) {
    sums_[columns[e] * stride_ + cluster] += sign * entries[e];
  }
  p_sum_[cluster] += sign * problem_.p(object);
}

void SparseGramState::make_room(std::size_t clusters) {
  if (clusters <= stride_) {
    return;
  }
  const std::size_t stride = slots_.free() ? 2 * clusters : clusters;
  std::vector<double> sums(problem_.dimensions() * stride, 0.0);
  for (std::size_t j = 0; j < problem_.dimensions(); ++j) {
    for (std::size_t k = 0; k < stride_; ++k) {
      sums[j * stride + k] = sums_[j * stride_ + k];
    }
  }
  sums_ = std::move(sums);
  stride_ = stride;
  p_sum_.resize(stride_, 0.0);
}

}  // namespace shiftcut

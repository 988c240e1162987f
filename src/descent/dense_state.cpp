#include "descent/dense_state.hpp"

#include <algorithm>

#include "core/kernels/kernels.hpp"
#include "descent/tuning.hpp"

namespace shiftcut {

using namespace descent_tuning;

DenseState::DenseState(const DenseProblem& problem, std::vector<ClusterId> labels,
                       std::optional<std::size_t> clusters, ThreadTeam& team)
    : problem_(problem),
      team_(team),
      labels_(std::move(labels)),
      slots_(labels_, clusters),
      table_(slots_.count(), std::vector<double>(problem.size(), 0.0)),
      degrees_(slots_.count(), 0.0),
      local_(kDenseBatch) {
  for (ObjectId i = 0; i < labels_.size(); ++i) {
    moves_.push_back({i, kNoCluster, labels_[i]});
    degrees_[labels_[i]] += problem_.degree(i);
  }
  apply_moves();
}

std::size_t DenseState::sweep(const SweepOrder& order, StopCheck& stop) {
  std::size_t moves = 0;
  for (std::size_t begin = 0; begin < order.size() && !stop.should_stop(); begin += kDenseBatch) {
    objects_.resize(std::min(kDenseBatch, order.size() - begin));
    order.fill(begin, objects_.size(), objects_.data());
    copy_batch();
    visit_batch();
    moves += moves_.size();
    apply_moves();
  }
  return moves;
}

void DenseState::copy_batch() {
  for (std::size_t p = 0; p < objects_.size(); ++p) {
    local_[p].resize(table_.size());
    for (std::size_t k = 0; k < table_.size(); ++k) {
      local_[p][k] = table_[k][objects_[p]];
    }
  }
}

void DenseState::visit_batch() {
  for (std::size_t p = 0; p < objects_.size(); ++p) {
    const ObjectId object = objects_[p];
    const ClusterId own = labels_[object];
    affinities_.resize(slots_.count());
    for (ClusterId k = 0; k < affinities_.size(); ++k) {
      affinities_[k] = problem_.affinity(object, local_[p][k], slots_.size(k), degrees_[k]);
    }
    affinities_[own] -= problem_.self(object);
    const BestMove best = best_move(affinities_, own, problem_.tolerance());
    if (best.to == own) {
      continue;
    }
    labels_[object] = best.to;
    slots_.move(own, best.to, 1);
    degrees_[own] -= problem_.degree(object);
    degrees_[best.to] += problem_.degree(object);
    if (slots_.count() > table_.size()) {
      table_.emplace_back(problem_.size(), 0.0);
      degrees_.push_back(0);
      for (auto& sums : local_) {
        sums.push_back(0);
      }
    }
    moves_.push_back({object, own, best.to});
    correct_batch(moves_.back(), p + 1);
  }
}

// Later objects of the batch see the move at once.
void DenseState::correct_batch(const Move& move, std::size_t after) {
  for (std::size_t p = after; p < objects_.size(); ++p) {
    const double raw = problem_.matrix().at(move.object, objects_[p]);
    local_[p][move.from] -= raw;
    local_[p][move.to] += raw;
  }
}

// Strip by strip, each in the order of the moves: the same sums for any number of threads.
void DenseState::apply_moves() {
  const DenseArray& matrix = problem_.matrix();
  const std::size_t n = problem_.size();
  const auto apply = [&](std::size_t strip, int) {
    const std::size_t begin = strip * kDenseStrip;
    const std::size_t count = std::min(kDenseStrip, n - begin);
    const auto add_row = [&](const auto* row, const Move& move) {
      if (move.from != kNoCluster) {
        add_scaled(&table_[move.from][begin], -1, row, count);
      }
      add_scaled(&table_[move.to][begin], 1, row, count);
    };
    for (const Move& move : moves_) {
      const std::size_t at = move.object * n + begin;
      if (matrix.is_float32()) {
        add_row(matrix.f32() + at, move);
      } else {
        add_row(matrix.f64() + at, move);
      }
    }
  };
  const std::size_t strips = (n + kDenseStrip - 1) / kDenseStrip;
  if (moves_.size() * n >= kWorthThreads) {
    team_.for_each(strips, apply);
  } else {
    for (std::size_t strip = 0; strip < strips && !moves_.empty(); ++strip) {
      apply(strip, 0);
    }
  }
  moves_.clear();
}

}  // namespace shiftcut

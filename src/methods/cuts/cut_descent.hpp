// One restart of the local search over a cut cost: from random labels to a grouping that no single
// move improves.
#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "core/partition.hpp"
#include "core/rng.hpp"
#include "methods/cuts/cut_costs.hpp"
#include "methods/operations.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut::methods {

inline void shuffle(std::vector<ObjectId>& order, Rng& rng) {
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
  }
}

/// Uniform labels, except that each cluster gets one random object, so that none is empty.
inline std::vector<ClusterId> labels_without_empty_clusters(std::size_t n, std::size_t clusters,
                                                            Rng& rng) {
  std::vector<ObjectId> order(n);
  std::iota(order.begin(), order.end(), ObjectId{0});
  shuffle(order, rng);
  std::vector<ClusterId> labels(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto count = static_cast<std::uint32_t>(clusters);
    labels[order[i]] = i < clusters ? static_cast<ClusterId>(i) : rng.below(count);
  }
  return labels;
}

template <class Links, MoveCost Cost>
class CutDescent {
 public:
  /// Changes `labels`, of which `links` may hold a view. A move must lower the cost by `least`.
  CutDescent(const ObjectSums& objects, Links& links, Cost& cost, std::vector<ClusterId>& labels,
             std::size_t clusters, double least)
      : objects_(objects),
        links_(links),
        cost_(cost),
        labels_(labels),
        least_(least),
        row_(clusters),
        changes_(clusters),
        order_(labels.size()) {
    std::iota(order_.begin(), order_.end(), ObjectId{0});
    add_up();
  }

  /// Visits every object once, in a new random order; returns the number of moves.
  std::size_t sweep(Rng& rng, const Control& control) {
    std::size_t moves = 0;
    shuffle(order_, rng);
    for (const ObjectId object : order_) {
      stop_if_asked(control);
      moves += visit(object) ? 1 : 0;
    }
    add_up();
    return moves;
  }

 private:
  Mover mover(ObjectId object) {
    links_.read(object, row_);
    row_[labels_[object]] -= objects_.self[object];
    return {row_, objects_.self[object], objects_.degree[object]};
  }

  // Recomputed after each sweep, so that the rounding errors of moves do not accumulate.
  void add_up() {
    cost_.begin();
    for (ObjectId object = 0; object < labels_.size(); ++object) {
      cost_.add(labels_[object], mover(object));
    }
    cost_.end();
  }

  bool visit(ObjectId object) {
    const ClusterId from = labels_[object];
    if (cost_.size(from) <= 1) {
      return false;
    }
    const Mover moving = mover(object);
    cost_.changes(from, moving, changes_);
    ClusterId best = from;
    for (ClusterId to = 0; to < changes_.size(); ++to) {
      best = changes_[to] < changes_[best] ? to : best;
    }
    if (!(changes_[best] < -least_)) {
      return false;
    }
    cost_.move(from, best, moving);
    links_.move(object, from, best);
    labels_[object] = best;
    return true;
  }

  const ObjectSums& objects_;
  Links& links_;
  Cost& cost_;
  std::vector<ClusterId>& labels_;
  double least_;
  std::vector<double> row_;
  std::vector<double> changes_;
  std::vector<ObjectId> order_;
};

}  // namespace shiftcut::methods

// The rule all local searches share, and the clusters it chooses from.
//
// An object o goes to the cluster of its largest affinity a(o,k). It stays unless the gain exceeds
// the tolerance; among clusters whose affinities agree to within the tolerance, the lowest number
// wins. So every engine decides alike, and every descent ends: each move lowers the cost by
// 2 (a(o,to) - a(o,from)).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "core/partition.hpp"

namespace shiftcut {

struct BestMove {
  ClusterId to = kNoCluster;
  double margin = 0;  // its affinity less the largest of all others
};

/// `affinities` of one object to every cluster, to its own without itself.
inline BestMove best_move(std::span<const double> affinities, ClusterId own, double tolerance) {
  double best = affinities[own];
  for (const double a : affinities) {
    best = a > best ? a : best;
  }
  BestMove move{own, 0};
  if (best - affinities[own] > tolerance) {
    for (ClusterId k = 0; k < affinities.size(); ++k) {
      if (affinities[k] >= best - tolerance && affinities[k] - affinities[own] > tolerance) {
        move.to = k;
        break;
      }
    }
  }
  double other = -std::numeric_limits<double>::infinity();
  for (ClusterId k = 0; k < affinities.size(); ++k) {
    if (k != move.to && affinities[k] > other) {
      other = affinities[k];
    }
  }
  move.margin = affinities[move.to] - other;
  return move;
}

/// The clusters an object may go to. With K given there are K of them, empty or not; with K free
/// one is always empty, so that an object may open a new cluster.
class Slots {
 public:
  Slots(std::span<const ClusterId> labels, std::optional<std::size_t> clusters,
        const NodeWeights& weights = {})
      : free_(!clusters) {
    const ClusterId largest = *std::max_element(labels.begin(), labels.end());
    sizes_.resize(std::max<std::size_t>(clusters.value_or(0), largest + std::size_t{1}), 0.0);
    for (ObjectId i = 0; i < labels.size(); ++i) {
      sizes_[labels[i]] += weights.of(i);
    }
    for (ClusterId k = 0; k < sizes_.size(); ++k) {
      if (sizes_[k] == 0) {
        empty_.push(k);
      }
    }
    keep_one_empty();
  }

  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  /// Whether K is free.
  [[nodiscard]] bool free() const { return free_; }
  /// The sum of its objects' weights, which are added without rounding: 0 means empty.
  [[nodiscard]] double size(ClusterId k) const { return sizes_[k]; }

  void move(ClusterId from, ClusterId to, double weight) {
    sizes_[to] += weight;
    sizes_[from] -= weight;
    if (sizes_[from] == 0) {
      empty_.push(from);
    }
    keep_one_empty();
  }

  /// The empty cluster with the lowest number, or kNoCluster.
  [[nodiscard]] ClusterId first_empty() {
    while (!empty_.empty() && sizes_[empty_.top()] != 0) {
      empty_.pop();
    }
    return empty_.empty() ? kNoCluster : empty_.top();
  }

 private:
  void keep_one_empty() {
    if (free_ && first_empty() == kNoCluster) {
      empty_.push(static_cast<ClusterId>(sizes_.size()));
      sizes_.push_back(0.0);
    }
  }

  bool free_;
  std::vector<double> sizes_;
  // Lowest number first; may still hold clusters that have been filled since.
  std::priority_queue<ClusterId, std::vector<ClusterId>, std::greater<>> empty_;
};

}  // namespace shiftcut

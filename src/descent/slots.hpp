// The clusters an object may go to. With K given there are K, empty or not; with K free there is
// always an empty one, so that an object may open a new cluster.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "core/partition.hpp"

namespace shiftcut {

class Slots {
 public:
  Slots(std::span<const ClusterId> labels, std::optional<std::size_t> clusters,
        const NodeWeights& masses = {})
      : free_(!clusters) {
    const ClusterId largest = *std::max_element(labels.begin(), labels.end());
    sizes_.resize(std::max<std::size_t>(clusters.value_or(0), largest + std::size_t{1}), 0.0);
    for (ObjectId i = 0; i < labels.size(); ++i) {
      sizes_[labels[i]] += masses.of(i);
    }
    for (ClusterId k = 0; k < sizes_.size(); ++k) {
      if (sizes_[k] == 0) {
        empty_.push(k);
      }
    }
    keep_one_empty();
  }

  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  [[nodiscard]] bool free() const { return free_; }
  /// The masses of its objects: whole numbers, so 0 is an empty one.
  [[nodiscard]] double size(ClusterId k) const { return sizes_[k]; }

  void move(ClusterId from, ClusterId to, double mass) {
    sizes_[to] += mass;
    sizes_[from] -= mass;
    if (sizes_[from] == 0) {
      empty_.push(from);
    }
    keep_one_empty();
  }

  /// The empty cluster of the lowest number, or kNoCluster.
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

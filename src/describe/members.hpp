// The objects of each cluster.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/partition.hpp"

namespace shiftcut {

/// Members in ascending order; labels below 0 belong to no cluster.
class ClusterMembers {
 public:
  explicit ClusterMembers(std::span<const std::int32_t> labels) : labels_(labels) {
    std::int32_t largest = -1;
    for (const std::int32_t label : labels) {
      largest = std::max(largest, label);
    }
    starts_.assign(static_cast<std::size_t>(largest) + 2, 0);
    for (const std::int32_t label : labels) {
      if (label >= 0) {
        ++starts_[static_cast<std::size_t>(label) + 1];
      }
    }
    for (std::size_t k = 1; k < starts_.size(); ++k) {
      starts_[k] += starts_[k - 1];
    }
    members_.resize(starts_.back());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (ObjectId i = 0; i < labels.size(); ++i) {
      if (labels[i] >= 0) {
        members_[next[static_cast<std::size_t>(labels[i])]++] = i;
      }
    }
  }

  [[nodiscard]] std::size_t clusters() const { return starts_.size() - 1; }
  [[nodiscard]] std::span<const ObjectId> of(std::size_t cluster) const {
    return std::span(members_).subspan(starts_[cluster], starts_[cluster + 1] - starts_[cluster]);
  }
  [[nodiscard]] std::size_t size(std::size_t cluster) const { return of(cluster).size(); }
  /// Objects that have a cluster.
  [[nodiscard]] std::size_t all() const { return members_.size(); }
  [[nodiscard]] std::int32_t label(std::size_t object) const { return labels_[object]; }

 private:
  std::span<const std::int32_t> labels_;
  std::vector<std::size_t> starts_;  // one more than clusters
  std::vector<ObjectId> members_;
};

}  // namespace shiftcut

// The clusters a node has edges to, with the weight of these summed: gathered edge by edge. Nodes
// of few edges use a table that stays in the nearest cache, however many clusters there are.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/kernels/best_label.hpp"
#include "core/partition.hpp"

namespace shiftcut {

class NearClusters {
 public:
  struct Near {
    ClusterId cluster;
    double weight;
  };

  /// Room for clusters 0 .. count-1.
  void make_room(std::size_t count) {
    if (count > direct_.size()) {
      direct_.resize(count);
    }
  }

  /// Forgets what was gathered; `edges` will come at most.
  void begin(std::size_t edges, std::size_t clusters) {
    near_.clear();
    use_small_ = edges <= kSmallEdges && clusters > kFewClusters;
    if (++stamp_ == 0) {
      std::fill(direct_.begin(), direct_.end(), Place{});
      small_.fill({});
      stamp_ = 1;
    }
  }

  void add(ClusterId k, double weight) {
    Place& place = place_of(k);
    if (place.stamp == stamp_) {
      near_[place.index].weight += weight;
    } else {
      place = {stamp_, static_cast<std::uint32_t>(near_.size()), k};
      near_.push_back({k, weight});
    }
  }

  /// Room for the edges of a node of few, to be compared instead.
  [[nodiscard]] LabelledEdges& edges() { return edges_; }

  [[nodiscard]] bool has(ClusterId k) { return place_of(k).stamp == stamp_; }

  /// In the order they were first met.
  [[nodiscard]] const std::vector<Near>& all() const { return near_; }

 private:
  struct Place {
    std::uint32_t stamp = 0;
    std::uint32_t index = 0;
    ClusterId cluster = 0;
  };
  static constexpr std::size_t kSmallEdges = 96;
  static constexpr std::size_t kFewClusters = 2048;
  static constexpr int kSmallBits = 8;

  Place& place_of(ClusterId k) {
    if (!use_small_) {
      return direct_[k];
    }
    std::uint32_t slot = (k * 0x9e3779b1U) >> (32 - kSmallBits);
    while (small_[slot].stamp == stamp_ && small_[slot].cluster != k) {
      slot = (slot + 1) % static_cast<std::uint32_t>(small_.size());
    }
    return small_[slot];
  }

  LabelledEdges edges_{};
  std::vector<Near> near_;
  std::vector<Place> direct_;  // per cluster
  std::array<Place, std::size_t{1} << kSmallBits> small_{};
  std::uint32_t stamp_ = 0;
  bool use_small_ = false;
};

}  // namespace shiftcut

// Bounds on the sizes of clusters: every cluster holds at least and at most a number of objects.
// What is counted are the objects of the user, whatever their weights: a node that stands for
// several counts as many. With K given and a least size, all K clusters are in use; with K free, or
// no least size, clusters may be empty.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "constraints/constraints.hpp"
#include "core/partition.hpp"

namespace shiftcut {

struct SizeBounds {
  static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

  std::size_t least = 0;
  std::size_t most = kNoLimit;
  std::optional<std::size_t> clusters;  // as SearchOptions has it
  std::vector<std::uint32_t> counts;    // objects of each node; empty: 1 each

  [[nodiscard]] std::size_t count(ObjectId node) const { return counts.empty() ? 1 : counts[node]; }
  /// Whether a cluster may hold nothing.
  [[nodiscard]] bool may_be_empty() const { return !clusters || least == 0; }
  /// Whether a cluster may hold `size` objects.
  [[nodiscard]] bool allow(std::size_t size) const {
    return size == 0 ? may_be_empty() : size >= least && size <= most;
  }
  /// Whether `count` objects may join a cluster of `size`: with K free, a new one only if they are
  /// enough for it.
  [[nodiscard]] bool allow_to_open(std::size_t size, std::size_t count) const {
    return size > 0 || clusters || count >= least;
  }
};

/// The numbers of clusters that `n` objects can be divided into, ignoring what holds them together;
/// first > last: none.
struct ClusterNumbers {
  std::size_t first = 1;
  std::size_t last = 0;
};
ClusterNumbers possible_numbers(const SizeBounds& bounds, std::size_t n);

/// The bounds for nodes that stand for several of these.
SizeBounds contracted(SizeBounds bounds, const Constraints& constraints);

/// Sizes in objects, one per label up to the largest label or K.
std::vector<std::size_t> sizes_of(std::span<const ClusterId> labels, const SizeBounds& bounds);

bool within_bounds(std::span<const ClusterId> labels, const SizeBounds& bounds);

}  // namespace shiftcut

// Objects, clusters and partitions: the ids all rooms use, the weights of contracted objects, and
// the labels users see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace shiftcut {

using ObjectId = std::uint32_t;
using ClusterId = std::uint32_t;

inline constexpr ClusterId kNoCluster = std::numeric_limits<ClusterId>::max();

/// How many of the user's objects each object of a problem stands for: 1, or more where must-links
/// have contracted several into one, and any number above 0 where rows have weights.
class NodeWeights {
 public:
  NodeWeights() = default;  // all 1
  explicit NodeWeights(std::vector<double> values) : values_(std::move(values)) {}

  [[nodiscard]] double of(ObjectId i) const { return values_.empty() ? 1.0 : values_[i]; }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  /// Of `n` objects.
  [[nodiscard]] double sum(std::size_t n) const {
    double all = values_.empty() ? static_cast<double>(n) : 0;
    for (const double value : values_) {
      all += value;
    }
    return all;
  }
  [[nodiscard]] double largest() const {
    double most = 1;
    for (const double value : values_) {
      most = value > most ? value : most;
    }
    return most;
  }

 private:
  std::vector<double> values_;
};

/// Labels in the form users see: 0 is the largest cluster.
struct Partition {
  std::vector<std::int32_t> labels;
  std::vector<std::size_t> sizes;  // decreasing, none zero
};

/// Numbers the non-empty clusters by decreasing size; in a tie, the cluster whose first object
/// comes first gets the lower number. Label vectors that agree up to renaming give the same
/// Partition.
Partition by_decreasing_size(std::span<const ClusterId> labels);

}  // namespace shiftcut

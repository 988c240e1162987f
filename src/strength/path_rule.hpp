// Which point of a shift path to select; shift_path.hpp says why.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "multilevel/level.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Low is good; infinite if there are fewer than two clusters.
double conductance_criterion(const SparseLevel& level, std::span<const ClusterId> labels,
                             std::size_t clusters);

/// A stretch of the path over which the number of clusters stays the same.
struct Plateau {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t clusters = 0;
  double length = 0;  // in steps, times the square root of the number of clusters

  [[nodiscard]] std::size_t middle() const { return (first + last) / 2; }
};

/// The plateaus of at least 2 clusters and at least two objects per cluster on average, the longest
/// first, at most one for each number of clusters.
std::vector<Plateau> plateaus(const std::vector<PathPoint>& points, double objects);

}  // namespace shiftcut

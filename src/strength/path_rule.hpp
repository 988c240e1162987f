// Which point of a shift path is the best; shift_path.hpp tells why.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "multilevel/level.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Low is good. Without two clusters infinite.
double leak_criterion(const SparseLevel& level, std::span<const ClusterId> labels,
                      std::size_t clusters);

/// The adjusted Rand index of two groupings of the level's objects: 1 for the same.
double agreement(const SparseLevel& level, std::span<const ClusterId> a,
                 std::span<const ClusterId> b);

/// With K given: the strength nearest to 1 among those with nearly the lowest criterion.
std::size_t best_point(const std::vector<PathPoint>& points);

/// With K free: the middle of the longest stretch of one number of clusters, if any lasts; 2 or
/// more, and on average two objects or more in each.
std::optional<std::size_t> plateau(const std::vector<PathPoint>& points, std::size_t objects);

}  // namespace shiftcut

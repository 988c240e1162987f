// Which point of a shift path to select; shift_path.hpp says why.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "multilevel/level.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

// The tuning numbers of this room.

/// Strengths on the path, by factors of sqrt(2): from 4 to 0.011 with K given, from 8 to 0.0007
/// with K free.
inline constexpr std::size_t kStepsWithK = 18;
inline constexpr std::size_t kStepsFree = 28;
/// Rounds in which every strength also starts from the solutions of its neighbours.
inline constexpr std::size_t kNeighborRounds = 2;
/// The strength taken with K free where no number of clusters lasts.
inline constexpr double kStrengthWithoutPlateau = 0.25;
/// Edges up to which every strength gets three starts instead of one.
inline constexpr std::size_t kEdgesForMoreStarts = std::size_t{1} << 15;
/// Conductances below this count as equally good.
inline constexpr double kLeastConductance = 1e-3;
/// Criteria up to this factor above the lowest count as about as good.
inline constexpr double kAboutAsGood = 1.15;
/// How much clusters that were asked for and not found count against a strength.
inline constexpr double kMissingWeight = 10;

/// Low is good; infinite if there are fewer than two clusters.
double conductance_criterion(const SparseLevel& level, std::span<const ClusterId> labels,
                             std::size_t clusters);

/// The adjusted Rand index of two partitions of the level's objects: 1 if they are the same.
double agreement(const SparseLevel& level, std::span<const ClusterId> a,
                 std::span<const ClusterId> b);

/// With K given: the strength nearest to 1 among those with nearly the lowest criterion.
std::size_t best_point(const std::vector<PathPoint>& points);

/// With K free: the middle of the longest plateau of one number of clusters, if there is one; the
/// number is at least 2, with at least two objects per cluster on average.
std::optional<std::size_t> plateau(const std::vector<PathPoint>& points, std::size_t objects);

}  // namespace shiftcut

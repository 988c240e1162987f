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
/// On given graphs the path goes on to stronger shifts, this many at a time, until the selected one
/// is none of the two strongest, and no further than this strength: graphs may have clusters of a
/// few objects out of a million.
inline constexpr std::size_t kStepsAtATime = 4;
inline constexpr double kStrongest = 1024;
/// How much of the labels' entropy counts against surprise. On LFR graphs of mean degree 4 with
/// mixing 0.1 and 0.4 and on the football graph, the best strengths are selected from 0.4 to 0.7;
/// with 0, clusters are too many (mixing 0.2 and 0.4), with 1, weak structure (0.4) is none.
inline constexpr double kLabelCost = 0.5;
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

/// Asymptotic surprise per edge (Traag, Aldecoa, Delvenne 2015), by degrees: the divergence of the
/// share of weight that lies within clusters from the share that would if ends of edges met at
/// random. High is good; 0 if clusters hold no more weight than chance would put there.
double surprise(const SparseLevel& level, std::span<const ClusterId> labels);

/// Surprise of all edges less what it takes to say which cluster each object is in: the entropy of
/// the labels, times kLabelCost for each object. Otherwise weak structure is divided ever further.
double net_surprise(const SparseLevel& level, std::span<const ClusterId> labels, double edges);

/// With K given: the strength nearest to 1 among those with nearly the lowest criterion.
std::size_t best_point(const std::vector<PathPoint>& points);

/// With K free: the middle of the longest plateau of one number of clusters, if there is one; the
/// number is at least 2, with at least two objects per cluster on average.
std::optional<std::size_t> plateau(const std::vector<PathPoint>& points, std::size_t objects);

}  // namespace shiftcut

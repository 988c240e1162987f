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

/// Asymptotic surprise per edge (Traag, Aldecoa, Delvenne 2015), by degrees: the divergence of the
/// share of weight that lies within clusters from the share that would if ends of edges met at
/// random. High is good; 0 if clusters hold no more weight than chance would put there.
double surprise(const SparseLevel& level, std::span<const ClusterId> labels);

/// Surprise of all edges less what it takes to say which cluster each object is in: the entropy of
/// the labels, times kLabelCost for each object. Otherwise weak structure is divided ever further.
double net_surprise(const SparseLevel& level, std::span<const ClusterId> labels, double edges);

/// A stretch of the path over which the number of clusters stays the same, or nearly so.
struct Plateau {
  std::size_t first = 0;  // of the points with this number
  std::size_t last = 0;
  std::size_t clusters = 0;
  double steps = 0;   // from first to last, and before and after, as far as numbers are near
  double length = 0;  // the steps times the square root of the number of clusters

  [[nodiscard]] std::size_t middle() const { return (first + last) / 2; }
  /// At least one step.
  [[nodiscard]] bool is_whole() const { return steps >= 1; }

  /// What speaks for this number if its vote has a score, as a share of all weights:
  ///   steps * K * share^4.
  [[nodiscard]] double score(double share) const;
};

/// The plateaus of at least 2 clusters and at least two objects per cluster on average, the longest
/// first, at most one for each number of clusters. Of many clusters, a few come and go along the
/// path: a step to a number k counts as 1 - |k - K| / (K / 10), and ends the plateau from 0 on.
/// Those of less than a step in all come last.
std::vector<Plateau> plateaus(const std::vector<PathPoint>& points, double objects);

/// The first of them, without those of nearly the same number as an earlier one, which have nearly
/// the same clusters.
std::vector<Plateau> apart(const std::vector<Plateau>& plateaus, std::size_t count);

/// The point of the path whose strength is nearest by its logarithm.
std::size_t nearest_strength(const std::vector<PathPoint>& points, double strength);

}  // namespace shiftcut

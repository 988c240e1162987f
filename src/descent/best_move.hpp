// The rule all searches share: an object goes to the cluster of its largest affinity. It stays
// unless the gain exceeds the tolerance; among clusters whose affinities agree to within it the one
// with the lowest number wins. So every form of the search decides alike, and all of them end.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "core/partition.hpp"

namespace shiftcut {

struct BestMove {
  ClusterId to = kNoCluster;
  double margin = 0;  // its affinity less the largest of all others
};

/// `affinities` of one object to every cluster, its own counted without itself.
inline BestMove best_move(std::span<const double> affinities, ClusterId own, double tolerance) {
  double best = affinities[own];
  for (const double a : affinities) {
    best = a > best ? a : best;
  }
  BestMove move{own, 0};
  if (best - affinities[own] > tolerance) {
    for (ClusterId k = 0; k < affinities.size(); ++k) {
      if (affinities[k] >= best - tolerance && affinities[k] - affinities[own] > tolerance) {
        move.to = k;
        break;
      }
    }
  }
  double other = -std::numeric_limits<double>::infinity();
  for (ClusterId k = 0; k < affinities.size(); ++k) {
    if (k != move.to && affinities[k] > other) {
      other = affinities[k];
    }
  }
  move.margin = affinities[move.to] - other;
  return move;
}

}  // namespace shiftcut

// A hierarchy of dominant sets (Pavan and Pelillo 2003): x^T (A - alpha I) x favours large sets the
// more the larger alpha is. Above the largest eigenvalue of A all objects are one cluster; as alpha
// falls, clusters fall apart, and at 0 they are plain dominant sets.
#pragma once

#include "shiftcut/methods/dominant_sets.hpp"

namespace shiftcut::methods {

struct DominantSetHierarchyOptions {
  /// The replicator needs the similarities raised by alpha off the diagonal, which makes it slow;
  /// infection does not.
  DynamicsOptions search = {.dynamics = Dynamics::infection};
  double factor = 0.8;      // alpha falls to so much of itself from level to level
  std::size_t levels = 20;  // at the most, the first (one cluster) and the last (alpha 0) included
  std::size_t enough = 0;   // no more levels once there are so many clusters; 0: to the end
  int threads = 1;          // 0: one a core; never changes the result
};

struct DominantSetLevel {
  double alpha = 0;
  Labels labels;  // numbered by each cluster's first object
  std::size_t clusters = 0;
  std::size_t steps = 0;  // of the dynamics, from the level before to this one
  bool converged = true;  // false: max_steps came first for some cluster
};

/// Levels from one cluster to many; each divides the clusters of the one before, by peeling every
/// cluster on its own. An object that is left alone is a cluster of its own, so every object has a
/// label. The first alpha is an upper bound of the largest eigenvalue of A. Input as for
/// dominant_sets().
std::vector<DominantSetLevel> dominant_set_hierarchy(
    const Similarities& similarities, const DominantSetHierarchyOptions& options = {},
    const Control& control = {});

}  // namespace shiftcut::methods

// Clusters from the trajectories of replicator dynamics (Chehreghani 2016): long before it rests,
// its x shows a gap between the objects that will stay and the others. Clusters are cut at that gap
// one by one.
#pragma once

#include <optional>

#include "shiftcut/control.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

struct DominantSetTrajectoriesOptions {
  std::size_t clusters = 2;
  std::size_t steps = 40;       // of the replicator a cluster
  std::size_t min_size = 2;     // smaller clusters are dissolved in the end
  std::size_t max_cuts = 0;     // 0: ten times the clusters
  std::optional<double> shift;  // as of dominant_sets(); none: the least similarity
  int threads = 1;              // 0: one a core; never changes the result
};

struct DominantSetTrajectoriesResult {
  Labels labels;             // numbered by each cluster's first object; -1: in none
  std::size_t clusters = 0;  // fewer than wanted where no cut was left to make
  std::size_t cuts = 0;
  std::size_t dissolved = 0;  // clusters that were too small
  double shift = 0;           // the one used
};

/// Begins with all objects in one cluster. Every cluster is offered a cut: `steps` replicator steps
/// from its barycentre, x sorted, cut at the largest gap. The cut is made that raises the sum of
/// |k| f(barycentre of k) over the clusters the most (ours: the paper's gain of the objective, with
/// every object counted once), until there are enough clusters of `min_size` or more. Each smaller
/// one then goes into the cluster of the largest mean similarity; its objects that are similar to
/// none keep the label -1. Input as for dominant_sets().
DominantSetTrajectoriesResult dominant_set_trajectories(
    const Similarities& similarities, const DominantSetTrajectoriesOptions& options = {},
    const Control& control = {});

}  // namespace shiftcut::methods

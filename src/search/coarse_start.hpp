// Good labels to begin with, for features and matrices: a sample of the objects falls into cells,
// each object to the nearest of some that were drawn; many restarts on the few cells cost next to
// nothing, the best goes down to the sample, and from there to all objects.
//
// It is the two-level form of multilevel search where everyone is everyone's neighbour and local
// moving from single objects would take n^2. Near means S_ii + S_jj - 2 S_ij, the squared distance
// where S is a matrix of products.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "problem/problem.hpp"

namespace shiftcut {

struct CoarseOptions {
  std::optional<std::size_t> clusters;
  std::size_t attempts = 1;  // each with cells of its own
  int trials = 0;            // changes of the best, on the sample
  std::size_t keep = 1;      // of different costs, the lowest first
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;  // of random numbers; attempt a draws from stream + a, and one more
};

/// Whether there is such a start: features in rows and matrices, unless there are too many clusters
/// for a sample to show.
bool has_coarse_start(const Problem& problem, std::optional<std::size_t> clusters);

/// Labels for all objects, at most `keep` of them, at least one; below K, or with K free below 32.
std::vector<std::vector<ClusterId>> coarse_starts(const Problem& problem,
                                                  const CoarseOptions& options,
                                                  const Context& context);

}  // namespace shiftcut

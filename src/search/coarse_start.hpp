// Initial labels for features and matrices: a sample of the objects is divided into cells, each
// object going to the nearest of a few drawn at random; many restarts on the few cells cost next to
// nothing, and the best labels are refined on the sample and extended to all objects.
//
// This is the two-level form of multilevel search where every object is every other's neighbour and
// local moving from single objects would take n^2. The distance is S_ii + S_jj - 2 S_ij, the
// squared Euclidean one if S holds inner products.
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
  std::size_t attempts = 1;  // each with its own cells
  int trials = 0;            // perturbations of the best, on the sample
  std::size_t keep = 1;      // solutions of different costs, the lowest first
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;  // of random numbers; uses attempts + 1 of them
};

/// Whether there are such starts: for dense features and matrices, unless there are too many
/// clusters for a sample to show.
bool has_coarse_start(const Problem& problem, std::optional<std::size_t> clusters);

/// At least one and at most `keep` labellings of all objects, with labels below K, or below 32 with
/// K free.
std::vector<std::vector<ClusterId>> coarse_starts(const Problem& problem,
                                                  const CoarseOptions& options,
                                                  const Context& context);

}  // namespace shiftcut

// A nested hierarchy of groupings, from single objects to one cluster, that has the grouping of a
// run as one of its levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Two clusters that become one: numbers below n are objects, n + m is the cluster of merge m.
struct Merge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  /// Of the shift at which the two become one; infinite for equal rows and must-links.
  double strength = 0;
  std::uint32_t size = 0;  // objects of the new cluster
};

/// n - 1 merges by decreasing strength.
struct Levels {
  std::vector<Merge> merges;
};

/// The hierarchy around the grouping `result` of run(input, options): after n - K merges, K the
/// clusters of `result`, its labels. Must-links hold at every level. For graphs without negative
/// weights, also those made of neighbours: throws std::invalid_argument for anything else, and for
/// rows of weight 0. Neighbours are searched again unless those of the run are given.
Levels make_levels(const Input& input, const Options& options, const Result& result,
                   const Control& control = {}, const NeighborTable* neighbors = nullptr);

/// Labels at `clusters` clusters, 0 the largest; in a tie, that of the first object.
std::vector<std::int32_t> labels_at(const Levels& levels, std::size_t clusters);

/// One column a level: 2 clusters, those of the result, and those at strengths by factors of
/// sqrt(2). The first line names the number of clusters and the strength they come together at.
std::string levels_csv(const Levels& levels, const Result& result, const Input& input);

}  // namespace shiftcut

// How far apart clusters are, judged by the data alone: by the density where they meet, and in few
// objects by the gaps between them. null_model.hpp says how much is no evidence of clusters.
#pragma once

#include <cstddef>
#include <span>

#include "core/partition.hpp"
#include "multilevel/level.hpp"
#include "neighbors/trees/spanning_tree.hpp"

namespace shiftcut {

/// How much sparser the data are where clusters meet than within the sparser of the two clusters:
/// with r_i the distance from i to its last listed neighbour, c(i) its cluster, and d the intrinsic
/// dimension,
///   d * mean over listed neighbours (i, j) with c(i) != c(j) of
///       (log r_i + log r_j) / 2 - max(mean of log r over c(i), mean of log r over c(j)),
/// a difference of log densities. Below 0 where clusters are divided through their dense parts, as
/// Gaussian noise is; infinite if no neighbours are in different clusters. Objects count once,
/// whatever their weights. O(n k).
double density_dip(const NeighborDistances& distances, std::span<const ClusterId> labels,
                   double dimension);

/// Where the edges of a spanning tree shorten most.
struct TreeGap {
  std::size_t clusters = 1;  // the pieces that the longer edges leave; 1: there is no such gap
  double ratio = 1;          // of the shortest of the edges cut and the longest that is left
};

/// The widest gap that leaves pieces of a weight of at least 2. Up to `most_points` nodes may be
/// pieces of their own if all of them weigh that much: the ratio is infinite then. `tree` has the
/// longest edges first. O(n^2).
TreeGap widest_gap(std::span<const TreeEdge> tree, std::span<const Volume> nodes,
                   std::size_t most_points);

}  // namespace shiftcut

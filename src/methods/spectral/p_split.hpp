// One split of p-spectral clustering: a cluster in two.
#pragma once

#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "methods/spectral/recursive_split.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/methods/p_spectral.hpp"

namespace shiftcut::methods {

/// A graph whose clusters are split, and what all of its objects weigh. Looks at its data.
struct WeightedGraph {
  const Similarities& similarities;
  std::span<const double> weights;  // g: 1, or degrees; above 0
  std::span<const double> degrees;
};

/// Along the second eigenvector of the p-Laplacian of the cluster, or, where it is not connected,
/// between its components. `change` is that of the sum over clusters of cut / g. Adds the steps it
/// took to `steps`.
Split p_split(const WeightedGraph& graph, std::span<const ObjectId> members,
              const PSpectralOptions& options, ThreadTeam& team, const Control& control,
              int& steps);

}  // namespace shiftcut::methods

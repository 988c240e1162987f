// Labels for a graph when there is no time left to search: where a search is stopped before it has
// any solution.
#pragma once

#include <optional>
#include <vector>

#include "core/partition.hpp"
#include "multilevel/level.hpp"

namespace shiftcut {

/// A few passes of label propagation (Raghavan, Albert, Kumara 2007); then, if `clusters` is given,
/// the smallest of the clusters join the one they are most connected to until no more than that are
/// left. Compact labels of the level's nodes, O(edges).
std::vector<ClusterId> quick_labels(const SparseLevel& level, std::optional<std::size_t> clusters);

}  // namespace shiftcut

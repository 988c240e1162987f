// Nodes of consecutive numbers that come together among themselves, stretch by stretch, on all
// threads at once: where most edges of a large level are short, most of the work is done that way,
// and what is known of a stretch stays in the cache.
#pragma once

#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "multilevel/level.hpp"

namespace shiftcut {

struct Stretched {
  std::vector<ClusterId> labels;
  std::size_t judged = 0;
  std::size_t moves = 0;
};

/// Whether the level is large and most of its edges lie within stretches, by a sample of nodes.
bool has_short_edges(const SparseLevel& level);

/// Labels, below level.size(), of nodes that began as single ones; `parts` as in
/// LocalMoving::keep_within, or none.
Stretched come_together_by_stretches(const SparseLevel& level, std::span<const ClusterId> parts,
                                     const Context& context);

}  // namespace shiftcut

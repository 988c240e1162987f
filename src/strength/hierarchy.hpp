// A nested hierarchy along the strengths of the shift, from single nodes to one cluster. Two
// clusters a and b with similarities W_ab between them, of which strength 1 of the shift takes
// A_ab, are better merged at every strength below
//   s_ab = W_ab / A_ab,
// so the pair of the largest s_ab is merged first (under the degree shift this is Paris: Bonald et
// al. 2018). W and A add up when clusters merge, so s of a merged cluster is at most the larger of
// its parts' where A > 0: merges come at decreasing strengths. Guides keep greedy merging from
// mistakes that show only later: partitions, each finer than the next, within whose clusters all is
// merged before anything is across.
#pragma once

#include <cstdint>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "multilevel/level.hpp"

namespace shiftcut {

/// Merge m makes cluster n + m of `left` and `right`, which are nodes below n or earlier merges.
struct MergeStep {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  double strength = 0;  // s_ab, not above that of the merges it is made of; 0 or more
};

/// The n - 1 merges by decreasing strength. `level` has the shift of strength 1, `labels` (compact)
/// are clusters found at strength `at`: all merges within them come before all others, and count as
/// no weaker than the strongest of these. Stopped early, guides are left out.
/// O(edges log^2) time.
std::vector<MergeStep> hierarchy(const SparseLevel& level, const std::vector<ClusterId>& labels,
                                 double at, std::uint64_t seed, const Context& context);

}  // namespace shiftcut

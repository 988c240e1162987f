// The columns in which a cluster differs most from all other objects.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/thread_team.hpp"
#include "describe/members.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/describe.hpp"

namespace shiftcut {

/// Of each cluster the `most` columns with the largest effects, and in a tie the first; none with
/// the effect 0. O(n log n) per dense column. Of sparse rows only columns that more members have
/// than others, O(entries).
std::vector<std::vector<ColumnContrast>> column_contrasts(const Input& input,
                                                          const ClusterMembers& members,
                                                          std::size_t most, ThreadTeam& team);

}  // namespace shiftcut

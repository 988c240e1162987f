// The nearest rows of every row, by comparing all pairs.
#pragma once

#include "core/thread_team.hpp"
#include "neighbors/list_writer.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut {

/// Writes the lists of all members of all groups, exactly as a plain loop over all pairs would.
/// O(n^2 d).
void exact_search(const FeatureRows& rows, const RowGroups& groups, std::size_t k,
                  const ListWriter& writer, ThreadTeam& team, const Control& control);

}  // namespace shiftcut

// The nearest rows of every row, by looking at all pairs.
#pragma once

#include "core/thread_team.hpp"
#include "neighbors/list_writer.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut {

/// Writes the lists of all members of all groups. Products in float32 leave out what their error
/// bound allows; what is left is measured in double precision, so the answer is that of the plain
/// loop. O(n^2 d).
void exact_search(const FeatureRows& rows, const RowGroups& groups, std::size_t k,
                  const ListWriter& writer, ThreadTeam& team, const Control& control);

}  // namespace shiftcut

// How many cells a row must look at to find its nearest.
#pragma once

#include "core/thread_team.hpp"
#include "core/work_meter.hpp"
#include "neighbors/cells/cells.hpp"

namespace shiftcut {

/// The fewest cells, nearest first, that hold `recall` of the k nearest of some hundred rows, which
/// are compared with all. O(n d). The same for any number of threads.
std::size_t choose_probes(const Cells& cells, std::size_t k, double recall, ThreadTeam& team);

}  // namespace shiftcut

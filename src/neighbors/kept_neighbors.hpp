// Neighbours that an earlier run found, if there is a checkpoint.
#pragma once

#include <functional>
#include <string>

#include "neighbors/neighbor_lists.hpp"
#include "shiftcut/checkpoint.hpp"

namespace shiftcut {

/// What `find` returns, kept under this name, or found there: k neighbours of n objects.
NeighborLists kept_neighbors(Checkpoint* checkpoint, const std::string& name, std::size_t n,
                             std::size_t k, const std::function<NeighborLists()>& find);

}  // namespace shiftcut

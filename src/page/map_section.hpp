// The map of the objects: where those that are drawn lie, and what the axes mean.
#pragma once

#include <vector>

#include "core/partition.hpp"
#include "page/json.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/layout.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// `places` of all objects, or null: they are found here. `neighbors` as for layout().
Json map_section(const Input& input, const Options& options, const Result& result,
                 const Layout* places, const std::vector<ObjectId>& drawn,
                 const NeighborTable* neighbors, const Control& control);

}  // namespace shiftcut

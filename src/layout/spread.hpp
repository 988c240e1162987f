// The layout that keeps neighbours: edges pull their ends together, all objects push each other
// apart, until what is joined lies together and what is not lies apart.
//
// This is the descent of UMAP (McInnes, Healy, Melville 2018) with the curve 1 / (1 + d^2), which
// needs no powers: an edge of weight w is drawn in a share w of the epochs, each time with a few
// random objects that push. UMAP moves both ends of an edge at once, in an order that threads
// change. Here an object moves only itself, edge by edge, by what it sees at the epoch's beginning
// and with random numbers of its own. So objects move side by side, and the result does not depend
// on the number of threads.
#pragma once

#include <cstdint>

#include "core/thread_team.hpp"
#include "layout/fuzzy_graph.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/layout.hpp"

namespace shiftcut {

/// Moves the places from where they are. Returns early if asked to stop.
void spread(const FuzzyGraph& graph, std::uint64_t seed, ThreadTeam& team, const Control& control,
            Layout& places);

}  // namespace shiftcut

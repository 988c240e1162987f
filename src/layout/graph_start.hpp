// Where a layout starts that has nothing but a graph: the smoothest directions of each connected
// component, as in spectral embedding, and the components side by side.
//
// The directions are the second and third eigenvector of D^-1 W, found by subspace iteration with
// Chebyshev polynomials (Zhou, Saad 2007), which sharpen what k steps tell from k^2. Few steps are
// enough: a start has to be unfolded, not exact.
#pragma once

#include <cstdint>

#include "core/thread_team.hpp"
#include "layout/fuzzy_graph.hpp"
#include "shiftcut/layout.hpp"

namespace shiftcut {

/// Components have areas in proportion to their sizes and lie around the largest.
Layout graph_start(const FuzzyGraph& graph, std::uint64_t seed, ThreadTeam& team);

}  // namespace shiftcut

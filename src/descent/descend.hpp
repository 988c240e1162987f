// Local search: moves of single objects, each to its best cluster, down to a local optimum.
//
// This room has one engine per view, all of which make the moves of the plain loop (best_move.hpp):
// features in batches (gram_state.hpp), a matrix with a table of sums (dense_state.hpp), a graph by
// its edges (graph_state.hpp) and sparse rows one by one (sequential_state.hpp). descend()
// dispatches to them; restarts.hpp runs several descents side by side and keeps the best.
#pragma once

#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "problem/problem.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Sweeps over the objects in random order, drawn afresh for every sweep, until one makes no move.
/// Starts from `labels` and leaves the local optimum there. Fills in all of the returned Restart
/// but `seconds`.
Restart descend(const Problem& problem, std::vector<ClusterId>& labels,
                std::optional<std::size_t> clusters, const Context& context);

/// The last stage of another search: descends from `labels` and returns `before` with the sweeps
/// and moves of the descent added, and its cost.
Restart finish_by_descent(const Restart& before, const Problem& problem,
                          std::vector<ClusterId>& labels, std::optional<std::size_t> clusters,
                          const Context& context);

}  // namespace shiftcut

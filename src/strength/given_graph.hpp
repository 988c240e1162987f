// The path over strengths on a given graph, which may be of any density, have clusters of a few
// objects, and components that say nothing.
//
// With K free, the path goes on to stronger shifts as long as these are better, and the strength
// whose clusters have the highest net surprise (path_rule.hpp) is selected. With K given, it goes
// on until there are K clusters, takes finer steps where their number reaches K, and selects the
// middle of the stretch of strengths from there on over which the clusters stay nearly the same.
#pragma once

#include <cstddef>
#include <vector>

#include "strength/strength_path.hpp"

namespace shiftcut {

struct GivenGraphPath {
  std::vector<PathSolution> solutions;  // by decreasing strength
  std::size_t chosen = 0;
};

/// The plan's strengths, and stronger ones where needed. `edges` is the number of edges of the
/// graph that `level` was contracted from.
GivenGraphPath solve_given_graph(PathPlan plan, const SparseLevel& level, double edges,
                                 const ShiftTerms& unit, const Context& context, WorkMeter& meter);

}  // namespace shiftcut

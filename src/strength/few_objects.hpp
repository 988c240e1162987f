// Few objects, or few distinct rows that repeat: neither plateaus nor densities say much about
// them, but wide gaps do, and that rows are equal.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/context.hpp"
#include "shiftcut/options.hpp"
#include "strength/electorate.hpp"
#include "strength/path_graph.hpp"
#include "strength/path_rule.hpp"
#include "strength/separation.hpp"

namespace shiftcut {

/// So few that every row is a neighbour of about half the others, and each repeated often: a table
/// of five cities rather than a cloud of points. What stands out is that rows are equal, not which
/// of them are near.
bool has_few_distinct_rows(const PathGraph& graph);

/// Elects the voter that has every distinct row in a cluster of its own, if there is one.
void choose_single_nodes(const PathGraph& graph, Election& election);

/// Leaves that number of clusters alone, if the path arrives at it.
void keep_single_nodes(const PathGraph& graph, const std::vector<PathPoint>& points,
                       std::vector<Plateau>& all);

/// The widest gap if it is wider than those of noise of this dimension; else one cluster.
TreeGap gap_of_few_objects(const PathGraph& graph, Electorate& electorate, double dimension);

/// The pieces between the gaps, descended at the strength of the path that leaves most of them as
/// they are.
Voter gap_voter(const PathGraph& graph, Electorate& electorate, std::size_t pieces,
                const std::vector<PathPoint>& points, const SearchOptions& options,
                const Context& context);

}  // namespace shiftcut

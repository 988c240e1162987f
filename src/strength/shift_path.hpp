// How strong the shift should be, selected without labels: a path over strengths of the adaptive
// shift on a graph, from strong to weak, each solution a start for its neighbours on the path.
//
// With K given, a strength is good if its clusters are well separated and none is far larger than
// the rest. A cluster's conductance is the share of its edges' weight that leaves it (its volume is
// all that weight). The criterion is the geometric mean of the conductances over the squared
// evenness: the probability that two draws by volume fall into different clusters, divided by what
// it is for K equal clusters. Finding fewer than K clusters counts against a strength. Of strengths
// about as good as the best, the one nearest to 1, the paper's, is selected.
//
// With K free, the number of clusters falls as the shift weakens, and where there is structure it
// stays the same for a while: the longest such plateau is selected, weighted by the square root of
// its number of clusters (without structure, K clusters last for about 1/K of the path).
#pragma once

#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "problem/graph_problem.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

struct ShiftPath {
  std::vector<PathPoint> points;  // by decreasing strength; empty where there are no edges
  double strength = 1;            // the one to take
  std::vector<ClusterId> labels;  // the solution there, to start from; not quite a local optimum
  bool has_plateau = true;        // with K free: whether there was a plateau
};

/// Edges above which a graph is contracted first, and contracted again.
struct PathSizes {
  std::size_t smaller = std::size_t{1} << 17;
  std::size_t again = std::size_t{1} << 21;
};

/// `problem` has an adaptive shift and no negative weights. The method, restarts and time limit of
/// `options` do not matter here; if stopped, it selects among the solutions it has. If `answers`
/// about pairs agree significantly better with another strength's solution (by more than the square
/// root of the number of pairs on which the two differ), that strength is selected.
ShiftPath shift_path(const GraphProblem& problem, const SearchOptions& options,
                     const LinkOptions& answers, const Context& context,
                     const PathSizes& sizes = {});

}  // namespace shiftcut

// How strong the shift should be, found without labels: a path over strengths of the adaptive shift
// on a graph, from strong to weak, each answer the start of its neighbours' searches.
//
// With K given, a strength is good if its clusters let little out and none is far larger than the
// rest. A cluster's leak (its conductance, were it no more than half of all) is the part of its
// edges' weight that leaves it; its volume is all that weight. The criterion is the geometric mean
// of the leaks over the squared evenness: the chance that two draws by volume fall into different
// clusters, over what it is for K equal ones. Clusters fewer than K count against it. Among
// strengths about as good as the best, the one nearest to 1, the paper's, is taken.
//
// With K free, the number of clusters falls as the shift weakens, and where there is structure it
// stays the same for a while: the longest such stretch is taken, a little less long one if it has
// more clusters (without structure a number of clusters K lasts for about 1/K of the way).
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
  std::vector<ClusterId> labels;  // the answer there, to start from; not quite a local optimum
  bool has_plateau = true;        // with K free: whether any number of clusters lasted
};

/// Edges above which a graph is made smaller first, and smaller again.
struct PathSizes {
  std::size_t smaller = std::size_t{1} << 17;
  std::size_t again = std::size_t{1} << 21;
};

/// `problem` has an adaptive shift and no negative weights. The search's method, restarts and time
/// limit do not matter here; told to stop, it judges what it has. Where `answers` agree with the
/// grouping of another strength, and surely more than with the one that would be taken (by more
/// than the square root of the number of pairs the two disagree on), that one is.
ShiftPath shift_path(const GraphProblem& problem, const SearchOptions& options,
                     const LinkOptions& answers, const Context& context,
                     const PathSizes& sizes = {});

}  // namespace shiftcut

// How strong the shift should be, and which partition to return, chosen without labels.
//
// A large graph is contracted first (path_graph.hpp). With K given, many partitions into K clusters
// are made, and the one that the others agree with most is selected (vote.hpp): solutions along a
// path of strengths of the adaptive shift (strength_path.hpp), and cuts of spanning trees of the
// neighbour graph (tree_cuts.hpp), each descended to a local optimum at strength 1.
//
// With K free, the number of clusters falls as the shift weakens, and where there is structure it
// stays the same for a while (path_rule.hpp). The numbers of the longest such plateaus are judged
// by a vote each. If none stands out from what noise shows (null_model.hpp), there are no clusters.
//
// On given graphs the strength is selected otherwise (given_graph.hpp).
#pragma once

#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "neighbors/trees/spanning_tree.hpp"
#include "problem/graph_problem.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/path_labels.hpp"
#include "shiftcut/result.hpp"
#include "strength/path_graph.hpp"

namespace shiftcut {

struct ShiftPath {
  std::vector<PathPoint> points;     // by decreasing strength; empty where there are no edges
  PathLabels groupings;              // at these points
  double strength = 1;               // the one to take
  std::vector<ClusterId> labels;     // the partition to return, but for a last descent
  bool has_plateau = true;           // with K free: whether there was a plateau
  double criterion = 0;              // of the labels: conductance over evenness
  std::vector<JudgedNumber> judged;  // with K free
  double dimension = 0;              // intrinsic; 0: unknown
  bool is_whole = true;              // false: stopped before every strength had a solution
  bool is_decided = false;           // whether a search for a lower cost would do harm
  bool is_like_noise = false;        // whether the voters agree no more than on noise
  std::size_t voters = 0;
  std::size_t agreeing = 0;    // voters that nearly agree with the labels
  double score = 0;            // of the labels in the vote, 0 to 1
  bool is_from_tree = false;   // whether a tree gave the labels
  std::vector<float> support;  // of each object: the share of voters that put it where it is
};

/// `problem` has an adaptive shift and no negative weights; `distances` of its objects, if known,
/// make the trees. The method, restarts and time limit of `options` do not matter here; if stopped,
/// it selects among the solutions it has. If it may learn from `links`, and these agree
/// significantly better with another voter (by more than the square root of the number of pairs on
/// which the two differ), that one is selected. Without links, data that cannot be told from noise
/// become one cluster with K free, and are marked with K given.
ShiftPath shift_path(const GraphProblem& problem, const NeighborDistances* distances,
                     const SearchOptions& options, const LinkOptions& links, const Context& context,
                     const PathSizes& sizes = {}, GraphOrigin origin = GraphOrigin::neighbors);

}  // namespace shiftcut

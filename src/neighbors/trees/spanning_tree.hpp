// Minimum spanning trees over a neighbour graph, for cutting into clusters that are separated by
// gaps whatever their shape.
//
// The length of an edge is its mutual reachability distance (Campello, Moulavi, Sander 2013):
//   max(d_ij, c_i, c_j), c_i the distance from i to its M-th neighbour,
// so that single objects between two clusters do not bridge them. M = 1 is single linkage.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/neighbors.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// How far apart objects are: along their neighbour lists, and any two of them.
struct NeighborDistances {
  std::shared_ptr<const NeighborTable> table;
  std::vector<double> squared;  // of the table's entries
  /// The objects, if Euclidean distances of any two of them are to be known.
  std::shared_ptr<const FeatureRows> rows;
  /// The same for others: squared distance of any two objects. Both empty: only distances of the
  /// table are known.
  std::function<double(ObjectId, ObjectId)> between;
  std::size_t columns = 0;  // of the rows; 0: not a table
};

struct TreeEdge {
  ObjectId a = 0;
  ObjectId b = 0;
  double length = 0;
};

/// The tree of `nodes` nodes, longest edges first; `node_of` gives the node of every object (empty:
/// each object is one). Components of the neighbour graph are joined by the shortest distance that
/// a sample of their objects shows, or, where distances are not known, by edges of infinite length.
/// Throws Interrupted within a StopScope.
std::vector<TreeEdge> spanning_tree(const NeighborDistances& distances, std::size_t reach,
                                    std::span<const ClusterId> node_of, std::size_t nodes,
                                    ThreadTeam& team);

}  // namespace shiftcut

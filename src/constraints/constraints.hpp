// What somebody knows of pairs, ready for a problem: objects that must be together have become one
// node, those that may not are in conflict, evidence is summed by node.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "constraints/conflicts.hpp"
#include "constraints/one_per_cluster.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

struct Constraints {
  std::vector<ObjectId> groups;  // which node each object is part of
  std::size_t nodes = 0;
  SparseMatrix evidence;                       // nodes x nodes, symmetric: what is added to S
  std::shared_ptr<const Conflicts> conflicts;  // of nodes; none: nothing is in conflict
  /// Groups that are too many pairs to be in `apart`; none: they are, or there are none.
  std::shared_ptr<const OnePerCluster> one_per_cluster;
  std::size_t must = 0;  // pairs of each kind
  std::size_t cannot = 0;
  std::size_t uncertain = 0;
};

/// Throws std::invalid_argument for a pair outside 0 .. n-1, of an object with itself or with a
/// weight not above 0; for a contradiction, with the fewest pairs that prove it; where `clusters`
/// are too few to keep everybody apart, with objects that are all in conflict if some are found.
/// `name` is how messages call an object. Groups of which a cluster may have one are put into
/// `apart` if that takes at most `few_pairs`, by default what a search hardly feels, or what is
/// worth knowing whether `clusters` are enough.
Constraints make_constraints(const LinkOptions& given, std::size_t n,
                             std::optional<std::size_t> clusters,
                             const std::function<std::string(ObjectId)>& name,
                             std::optional<std::uint64_t> few_pairs = std::nullopt);

/// The same with more pairs of nodes in conflict. Throws std::invalid_argument where no way is
/// found to keep them apart with `clusters`.
Constraints with_conflicts(Constraints constraints, const std::vector<NodePair>& more,
                           std::optional<std::size_t> clusters);

}  // namespace shiftcut

// What is known about pairs of objects, ready for a search: objects that must be together are
// contracted into one node, nodes that must not be are in conflict, and evidence about uncertain
// pairs is summed between nodes. Contradictions are reported before any search, with a minimal
// proof.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "constraints/conflicts.hpp"
#include "constraints/one_per_cluster.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

struct Constraints {
  std::vector<ObjectId> node_of;  // each object
  std::size_t nodes = 0;
  SparseMatrix evidence;                       // nodes x nodes, symmetric: what is added to S
  std::shared_ptr<const Conflicts> conflicts;  // between nodes; null: none
  /// Groups with too many pairs to list them all in `conflicts`; null: they are listed, or there
  /// are no groups.
  std::shared_ptr<const OnePerCluster> one_per_cluster;
  std::size_t must = 0;  // pairs of each kind
  std::size_t cannot = 0;
  std::size_t uncertain = 0;
};

/// Throws InvalidArgument for a pair outside 0 .. n-1, of an object with itself or with a weight
/// not above 0, and for cannot-links and groups that must-links contradict, with the fewest that
/// prove it.
void check_links(const LinkOptions& given, std::size_t n,
                 const std::function<std::string(ObjectId)>& name);

/// Evidence is in the units it was given in: see in_units(). Throws InvalidArgument for a pair
/// outside 0 .. n-1, of an object with itself or with a weight not above 0; for a contradiction,
/// with the fewest pairs that prove it; and where `clusters` are too few to satisfy all conflicts,
/// with objects that are all in conflict if some are found. `name` is what messages call an
/// object. Groups of which a cluster may hold one object each become conflicts if these are at
/// most `few_pairs`: by default as many as a search hardly notices, or as it takes to tell whether
/// `clusters` are enough.
Constraints make_constraints(const LinkOptions& given, std::size_t n,
                             std::optional<std::size_t> clusters,
                             const std::function<std::string(ObjectId)>& name,
                             std::optional<std::uint64_t> few_pairs = std::nullopt);

/// With more pairs of nodes in conflict. Throws InvalidArgument where no way is found to satisfy
/// them with `clusters`.
Constraints with_conflicts(Constraints constraints, const std::vector<NodePair>& more,
                           std::optional<std::size_t> clusters);

/// With the evidence in the units of a problem, evidence_unit().
Constraints in_units(Constraints constraints, double unit);

/// From labels of the objects to labels of the nodes (none to none), and back.
std::vector<ClusterId> node_labels(const Constraints& constraints,
                                   const std::vector<ClusterId>& object_labels);
std::vector<ClusterId> object_labels(const Constraints& constraints,
                                     const std::vector<ClusterId>& node_labels);

/// Moves nodes until no two of a group share a cluster. Throws InvalidArgument where no way is
/// found.
void repair_groups(const Constraints& constraints, std::optional<std::size_t> clusters,
                   std::vector<ClusterId>& node_labels);

/// Labels of objects, changed until all certain pairs and groups are satisfied. Throws as
/// repair_groups() does.
std::vector<ClusterId> repaired(const Constraints& constraints, std::optional<std::size_t> clusters,
                                const std::vector<ClusterId>& labels);

}  // namespace shiftcut

// Searches that keep to what is known of pairs: on nodes, what is found being labels of the
// objects again.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "constraints/constraints.hpp"
#include "core/context.hpp"
#include "core/partition.hpp"
#include "descent/restarts.hpp"
#include "problem/problem.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// Labels of objects changed until they keep to all certain pairs and groups. Throws
/// std::invalid_argument if the clusters are too few for that.
std::vector<ClusterId> keeping_to(const Constraints& constraints,
                                  std::optional<std::size_t> clusters,
                                  const std::vector<ClusterId>& labels);

/// Searches labels of nodes, those given being a start or none.
using NodeSearch = std::function<Solution(const Problem&, const SearchOptions&,
                                          const std::vector<ClusterId>& start)>;

/// The same without going on until the time is up: one of several leaves time for the others.
NodeSearch once(NodeSearch search_from);

/// `problem` is of the objects, as is `start`, which may be empty. Conflicts that nothing outweighs
/// make valleys of their own, which on a graph a search had better walk over first: with conflicts
/// that can be outweighed, and from there with the real ones. With `stop_linking` it throws
/// Interrupted if told to stop while a matrix of the nodes is made.
Solution constrained_search(const Problem& problem, SearchOptions options,
                            const Constraints& constraints, std::vector<ClusterId> start,
                            const Context& context, const NodeSearch& search_from,
                            StopCheck* stop_linking = nullptr);

/// Groups of which a cluster may have one, as pairs too many: those that may meet are named first,
/// then round by round those that do, until none does. What is then a local optimum keeping to some
/// pairs is one keeping to all. On a graph objects then also take each other's places (eject.hpp).
/// Stopped before, or after too many rounds, the answer is mended.
class GroupRounds {
 public:
  /// `constraints` has groups. `again` searches from an answer that has few clashes.
  GroupRounds(const Problem& problem, const SearchOptions& options, const Constraints& constraints,
              const Context& context, NodeSearch again);

  /// Keeps to the groups. Throws std::invalid_argument where it was stopped and no way is found to
  /// keep to them beside other conflicts with K clusters.
  Solution search(const std::vector<ClusterId>& start, const NodeSearch& search_from);

 private:
  Solution settled(const std::vector<ClusterId>& start, const SearchOptions& options,
                   const NodeSearch& search_from, const NodeSearch& again);
  Solution with_ejections(const GraphProblem& graph, Solution found);
  void learn(const std::vector<NodePair>& more);
  Solution repaired(Solution found, std::vector<ClusterId> labels);

  const Problem& problem_;
  SearchOptions options_;                   // with no more clusters than nodes
  std::shared_ptr<const Conflicts> given_;  // conflicts that are not by groups
  Constraints known_;
  Context context_;
  NodeSearch again_;
  std::size_t learned_ = 0;
};

}  // namespace shiftcut

// Searches under must-links, cannot-links and groups: they run on the contracted nodes, and their
// solutions are labels of the objects again. Evidence is in the problem's units: in_units().
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

/// Searches labels of nodes, those given being a start or none.
using NodeSearch = std::function<Solution(const Problem&, const SearchOptions&,
                                          const std::vector<ClusterId>& start)>;

/// The same without using up the time limit: one of several leaves time for the others.
NodeSearch once(NodeSearch search_from);

/// `problem` and `start`, which may be empty, are those of the objects. Conflicts that nothing
/// outweighs create local optima of their own. On a graph a first search therefore runs with
/// conflicts that can be outweighed, and a second one from there with the real ones. An
/// interruptible search throws Interrupted if stopped while the problem of the nodes is made.
Solution constrained_search(const Problem& problem, SearchOptions options,
                            const Constraints& constraints, std::vector<ClusterId> start,
                            const Context& context, const NodeSearch& search_from,
                            bool is_interruptible = false);

/// Groups of which a cluster may hold one object each, with too many pairs to list: pairs likely to
/// meet become conflicts first, then, round by round, those that do meet, until none does. What is
/// then a local optimum under some conflicts is one under all. On a graph objects then also take
/// each other's places (eject.hpp). Stopped early, or after too many rounds, the solution is
/// repaired.
class GroupRounds {
 public:
  /// `constraints` has groups. `again` searches from a solution with few clashes.
  GroupRounds(const Problem& problem, const SearchOptions& options, const Constraints& constraints,
              const Context& context, NodeSearch again);

  /// Satisfies the groups. Throws InvalidArgument where it was stopped and no way is found to
  /// satisfy them beside other conflicts with K clusters.
  Solution search(const std::vector<ClusterId>& start, const NodeSearch& search_from);

 private:
  Solution settled(const std::vector<ClusterId>& start, const SearchOptions& options,
                   const NodeSearch& search_from, const NodeSearch& again);
  Solution with_ejections(const GraphProblem& graph, Solution solution);
  void learn(const std::vector<NodePair>& more);
  Solution repaired(Solution solution, std::vector<ClusterId> labels);

  const Problem& problem_;
  SearchOptions options_;                   // with no more clusters than nodes
  std::shared_ptr<const Conflicts> given_;  // conflicts that are not by groups
  Constraints known_;
  Context context_;
  NodeSearch again_;
  std::size_t learned_ = 0;
};

}  // namespace shiftcut

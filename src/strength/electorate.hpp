// Who votes on the clusters of one graph: the solutions of a path over strengths, and the cuts of
// its spanning trees, which are made once, when they are first needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/work_meter.hpp"
#include "neighbors/trees/spanning_tree.hpp"
#include "strength/election.hpp"
#include "strength/path_graph.hpp"
#include "strength/strength_path.hpp"

namespace shiftcut {

class Electorate {
 public:
  /// Without `distances` there are no trees. `name` is what parts are called in a checkpoint;
  /// empty: nothing is kept. All arguments but `name` and `seed` must outlive it.
  Electorate(const PathGraph& graph, const NeighborDistances* distances, std::uint64_t seed,
             std::string name, const Context& context, WorkMeter& meter)
      : graph_(graph),
        distances_(distances),
        seed_(seed),
        name_(std::move(name)),
        context_(context),
        meter_(meter) {}

  /// The solutions with K free, and those into at most K clusters for one of several votes.
  enum class Keep { no, in_checkpoint };
  std::vector<PathSolution> path_with_k_free(Keep keep);
  std::vector<PathSolution> path_with_k(std::size_t clusters, std::uint64_t vote);

  /// The vote of these solutions and of the trees' cuts into K pieces; `expected` is the evenness
  /// that counts as even (vote.hpp), and trees have the share `trust` of their usual weight.
  Election elect(std::vector<PathSolution> solutions, std::size_t clusters, double expected = 1,
                 double trust = 1);

  /// A tree for each reach; if stopped, those that were finished.
  const std::vector<std::vector<TreeEdge>>& trees();

 private:
  [[nodiscard]] Context keeping(const std::string& name) const;  // `name` must outlive it

  const PathGraph& graph_;
  const NeighborDistances* distances_;
  std::uint64_t seed_;
  std::string name_;
  Context context_;
  WorkMeter& meter_;
  std::vector<std::vector<TreeEdge>> trees_;
};

}  // namespace shiftcut

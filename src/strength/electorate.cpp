#include "strength/electorate.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "strength/tree_cuts.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

std::vector<PathSolution> Electorate::path_with_k_free(Keep keep) {
  return solve_along({fine_strengths(8, kStepsFree), std::nullopt, seed_, kPathStream + 1,
                      keep == Keep::in_checkpoint ? name_ : std::string()},
                     graph_.level(), graph_.unit(), context_, meter_);
}

std::vector<PathSolution> Electorate::path_with_k(std::size_t clusters, std::uint64_t vote) {
  return solve_along(
      {strengths_with_k(), clusters, seed_, kPathStream + 1 + (vote + 1) * kStreamsPerVote, name_},
      graph_.level(), graph_.unit(), context_, meter_);
}

Election Electorate::elect(std::vector<PathSolution> solutions, std::size_t clusters,
                           double expected, double trust) {
  Election election;
  for (PathSolution& solution : solutions) {
    election.voters.push_back({std::move(solution.labels), 0, solution.strength,
                               1 / static_cast<double>(solutions.size()), false});
  }
  if (!trees().empty() && !context_.should_stop()) {
    const SparseLevel unit = at_strength(graph_.level(), graph_.unit(), 1);
    const std::string name = fmt::format("{}-cuts-{}", name_, clusters);
    std::ranges::move(tree_voters(trees_, unit, clusters,
                                  {seed_, kPathStream + kStreamsPerVote / 2}, keeping(name)),
                      std::back_inserter(election.voters));
  }
  for (Voter& voter : election.voters) {
    voter.clusters = compact_labels(voter.labels);
    voter.weight *= voter.is_tree ? trust : 1;
  }
  election.outcome = vote(election.voters, graph_.nodes(), clusters, expected, context_.team);
  return election;
}

const std::vector<std::vector<TreeEdge>>& Electorate::trees() {
  if (trees_.empty() && distances_ != nullptr) {
    trees_ = spanning_trees(*distances_, graph_.groups(), graph_.level().size(), keeping(name_));
  }
  return trees_;
}

Context Electorate::keeping(const std::string& name) const {
  Context own = context_;
  own.kept_as = name_.empty() ? nullptr : name.c_str();
  return own;
}

}  // namespace shiftcut

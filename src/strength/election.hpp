// The voters for one number of clusters, and whom they elected.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "shiftcut/options.hpp"
#include "strength/vote.hpp"

namespace shiftcut {

struct Election {
  std::vector<Voter> voters;
  VoteOutcome outcome;

  [[nodiscard]] const Voter& winner() const { return voters[outcome.winner]; }
  /// Of all voters together.
  [[nodiscard]] double weight() const;
  /// Of each node, the share of the votes that put it where the winner does. A voter's cluster
  /// stands for the winner's with which it shares most.
  [[nodiscard]] std::vector<float> support(std::span<const Volume> nodes) const;

  /// Whatever the votes say.
  void elect(std::size_t voter, std::span<const Volume> nodes);
  /// Elects another voter if the pairs agree significantly better with it; `labels_of` has its
  /// labels of the objects.
  void choose_by_pairs(const LinkOptions& links, std::span<const Volume> nodes,
                       const std::function<std::vector<ClusterId>(const Voter&)>& labels_of);
};

}  // namespace shiftcut

#include "strength/election.hpp"

#include <algorithm>

#include "constraints/pairs.hpp"

namespace shiftcut {

double Election::weight() const {
  double weights = 0;
  for (const Voter& voter : voters) {
    weights += voter.weight;
  }
  return weights;
}

std::vector<float> Election::support(std::span<const Volume> nodes) const {
  const double weights = weight();
  std::vector<float> support(nodes.size(), 0.0F);
  for (const Voter& voter : voters) {
    std::vector<double> overlap(winner().clusters * voter.clusters, 0.0);
    for (ObjectId v = 0; v < nodes.size(); ++v) {
      overlap[winner().labels[v] * voter.clusters + voter.labels[v]] += nodes[v].size;
    }
    std::vector<ClusterId> counterpart(winner().clusters);
    for (std::size_t k = 0; k < winner().clusters; ++k) {
      const auto row = overlap.begin() + static_cast<std::ptrdiff_t>(k * voter.clusters);
      counterpart[k] = static_cast<ClusterId>(
          std::max_element(row, row + static_cast<std::ptrdiff_t>(voter.clusters)) - row);
    }
    for (ObjectId v = 0; v < nodes.size(); ++v) {
      if (counterpart[winner().labels[v]] == voter.labels[v]) {
        support[v] += static_cast<float>(voter.weight / weights);
      }
    }
  }
  return support;
}

void Election::elect(std::size_t voter, std::span<const Volume> nodes) {
  outcome.winner = voter;
  for (std::size_t j = 0; j < voters.size(); ++j) {
    outcome.similarity[j] = agreement(nodes, winner().labels, voters[j].labels);
  }
}

void Election::choose_by_pairs(
    const LinkOptions& links, std::span<const Volume> nodes,
    const std::function<std::vector<ClusterId>(const Voter&)>& labels_of) {
  const auto satisfied_by = [&](const Voter& voter) {
    return satisfied_pairs(links, labels_of(voter));
  };
  const std::vector<bool> satisfied = satisfied_by(winner());
  std::size_t best = outcome.winner;
  double best_margin = 0;
  for (std::size_t i = 0; i < voters.size(); ++i) {
    const double margin = significantly_more(satisfied, satisfied_by(voters[i]));
    if (margin > best_margin ||
        (margin > 0 && margin == best_margin && outcome.similarity[i] > outcome.similarity[best])) {
      best_margin = margin;
      best = i;
    }
  }
  if (best != outcome.winner) {
    elect(best, nodes);
  }
}

}  // namespace shiftcut

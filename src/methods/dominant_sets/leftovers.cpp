#include "methods/dominant_sets/leftovers.hpp"

#include <algorithm>

#include "methods/rows.hpp"

namespace shiftcut::methods {

namespace {

// What each object counts in the score of its own set.
std::vector<double> member_weights(const std::vector<DominantSet>& sets, std::size_t objects,
                                   Leftovers rule) {
  std::vector<double> weights(objects, 0.0);
  for (const DominantSet& set : sets) {
    for (std::size_t k = 0; k < set.members.size(); ++k) {
      weights[set.members[k]] = rule == Leftovers::assign
                                    ? 1.0 / static_cast<double>(set.members.size())
                                    : set.weights[k] / set.cohesiveness;
    }
  }
  return weights;
}

}  // namespace

void give_out(const Similarities& similarities, const std::vector<DominantSet>& sets,
              std::span<const std::uint32_t> rest, Leftovers rule, Labels& labels,
              const Workers& workers) {
  const std::vector<double> weights = member_weights(sets, labels.size(), rule);
  std::vector<std::int32_t> chosen(rest.size(), -1);
  workers.team.for_each(rest.size(), [&](std::size_t task, int) {
    if (workers.control.stop_requested()) {
      return;
    }
    std::vector<double> scores(sets.size(), 0.0);
    for_row(similarities, rest[task], [&](std::size_t j, double similarity) {
      if (labels[j] >= 0) {
        scores[static_cast<std::size_t>(labels[j])] += weights[j] * similarity;
      }
    });
    const auto best = std::max_element(scores.begin(), scores.end());
    if (best != scores.end() && *best > 0) {
      chosen[task] = static_cast<std::int32_t>(best - scores.begin());
    }
  });
  stop_if_asked(workers.control);
  for (std::size_t k = 0; k < rest.size(); ++k) {
    labels[rest[k]] = chosen[k];
  }
}

}  // namespace shiftcut::methods

#include "shiftcut/methods/dominant_sets.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/message.hpp"
#include "core/work_meter.hpp"
#include "methods/dominant_sets/dominant_set.hpp"
#include "methods/dominant_sets/tuning.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

// For the replicator on a large matrix, else null.
std::unique_ptr<WarmStart> make_warm_start(const Similarities& similarities, const Lift& lift,
                                           const DynamicsOptions& options, const Workers& workers) {
  const auto* dense = std::get_if<DenseArray>(&similarities);
  if (dense == nullptr || dense->rows() < kWarmStartObjects || lift.everywhere > 0 ||
      options.dynamics != Dynamics::replicator) {
    return nullptr;
  }
  return std::make_unique<WarmStart>(*dense, lift, workers.team);
}

DominantSet as_set(const SimilarityPart& part, FoundSet found, const Workers& workers) {
  DominantSet set;
  set.steps = found.steps;
  set.converged = found.converged;
  for (const std::uint32_t position : found.positions) {
    set.members.push_back(part.object(position));
  }
  std::vector<double> payoff(found.weights.size());
  set.cohesiveness = payoffs(part.kept(found.positions), {}, found.weights, payoff, workers.team);
  set.weights = std::move(found.weights);
  return set;
}

// The weight of each object in the score of its own set.
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

Peeled peel(const Similarities& similarities, const Lift& lift, const DynamicsOptions& options,
            std::size_t most, const Workers& workers) {
  Peeled peeled;
  SimilarityPart rest(similarities);
  WorkMeter meter(workers.control, "dominant sets", rest.size());
  const std::unique_ptr<WarmStart> warm_start =
      make_warm_start(similarities, lift, options, workers);
  while (rest.size() > 1 && (most == 0 || peeled.sets.size() < most)) {
    std::optional<FoundSet> found =
        find_dominant_set(rest, lift, options, workers,
                          rest.size() >= kWarmStartObjects ? warm_start.get() : nullptr);
    if (!found) {
      break;
    }
    if (warm_start != nullptr) {
      warm_start->remove(found->positions, workers.team);
    }
    SimilarityPart left = rest.without(found->positions);
    peeled.sets.push_back(as_set(rest, std::move(*found), workers));
    rest = std::move(left);
    meter.add(peeled.sets.back().members.size());
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    peeled.rest.push_back(rest.object(i));
  }
  return peeled;
}

void assign_leftovers(const Similarities& similarities, const std::vector<DominantSet>& sets,
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

DominantSetsResult dominant_sets(const Similarities& similarities,
                                 const DominantSetsOptions& options, const Control& control) {
  constexpr const char* kName = "dominant sets";
  check_similarities(similarities, kName);
  check_not_negative(similarities, kName);
  check_options(options.search, kName);
  const std::size_t n = objects(similarities);
  if (options.sets > n) {
    refuse("out_of_range", "",
           "dominant sets: found {} sets requested; allowed: 0 (all there are) to {}, the objects",
           options.sets, n);
  }
  ThreadTeam team(options.threads);
  const Workers workers{team, control};
  DominantSetsResult result;
  result.shift = shift_off_diagonal(similarities, options.shift, kName);
  result.labels.assign(n, -1);

  Peeled peeled =
      peel(similarities, {-result.shift, result.shift}, options.search, options.sets, workers);
  for (std::size_t k = 0; k < peeled.sets.size(); ++k) {
    for (const std::uint32_t member : peeled.sets[k].members) {
      result.labels[member] = static_cast<std::int32_t>(k);
    }
  }
  if (options.leftovers != Leftovers::none) {
    assign_leftovers(similarities, peeled.sets, peeled.rest, options.leftovers, result.labels,
                     workers);
  }
  result.assigned_before = n - peeled.rest.size();
  result.assigned_after =
      n - static_cast<std::size_t>(std::count(result.labels.begin(), result.labels.end(), -1));
  result.sets = std::move(peeled.sets);
  return result;
}

}  // namespace shiftcut::methods

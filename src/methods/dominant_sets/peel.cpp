#include "methods/dominant_sets/peel.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "core/work_meter.hpp"

namespace shiftcut::methods {

namespace {

constexpr std::size_t kMany = 500;  // objects, from which on rough steps save time

// For the replicator on a matrix of many objects, else null.
std::unique_ptr<Approach> approach_to(const Similarities& similarities, const Lift& lift,
                                      const DynamicsOptions& options, const Workers& workers) {
  const auto* dense = std::get_if<DenseArray>(&similarities);
  if (dense == nullptr || dense->rows() < kMany || lift.everywhere > 0 ||
      options.dynamics != Dynamics::replicator) {
    return nullptr;
  }
  return std::make_unique<Approach>(*dense, lift, workers.team);
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

}  // namespace

Peeled peel(const Similarities& similarities, const Lift& lift, const DynamicsOptions& options,
            std::size_t most, const Workers& workers) {
  Peeled peeled;
  SimilarityPart rest(similarities);
  WorkMeter meter(workers.control, "dominant sets", rest.size());
  const std::unique_ptr<Approach> approach = approach_to(similarities, lift, options, workers);
  while (rest.size() > 1 && (most == 0 || peeled.sets.size() < most)) {
    std::optional<FoundSet> found = find_dominant_set(
        rest, lift, options, workers, rest.size() >= kMany ? approach.get() : nullptr);
    if (!found) {
      break;
    }
    if (approach != nullptr) {
      approach->remove(found->positions, workers.team);
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

}  // namespace shiftcut::methods

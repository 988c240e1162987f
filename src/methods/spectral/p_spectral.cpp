#include "shiftcut/methods/p_spectral.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/message.hpp"
#include "methods/operations.hpp"
#include "methods/spectral/eigenvectors.hpp"
#include "methods/spectral/p_laplacian.hpp"
#include "methods/spectral/recursive_split.hpp"

namespace shiftcut::methods {

namespace {

constexpr const char* kPSpectral = "p-spectral";

void check_power(double p) {
  if (!(p > 1 && p <= 2)) {
    refuse("out_of_range", "", "{}: found p {}; allowed: above 1, up to 2", kPSpectral, p);
  }
}

// g: 1, or the degrees in the whole graph.
std::vector<double> object_weights(const Similarities& similarities, bool normalized,
                                   ThreadTeam& team) {
  if (!normalized) {
    return std::vector<double>(objects(similarities), 1.0);
  }
  std::vector<double> weights = degrees(similarities, team);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) {
      refuse(
          "out_of_range", "",
          "{}: found object {} without a similarity above 0; allowed, where cuts are normalised: "
          "degrees above 0",
          kPSpectral, i);
    }
  }
  return weights;
}

// sum over clusters of cut / g.
double total_cut(const Similarities& similarities, const Labels& labels,
                 std::span<const double> weights) {
  std::vector<double> cuts(*std::max_element(labels.begin(), labels.end()) + 1);
  std::vector<double> sizes(cuts.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto label = static_cast<std::size_t>(labels[i]);
    sizes[label] += weights[i];
    for_row(similarities, i, [&](std::size_t j, double value) {
      cuts[label] += labels[j] != labels[i] ? value : 0;
    });
  }
  double total = 0;
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    total += cuts[k] / sizes[k];
  }
  return total;
}

}  // namespace

PSpectralResult p_spectral(const Similarities& similarities, const PSpectralOptions& options,
                           const Control& control) {
  check_power(options.p);
  ThreadTeam team(options.threads);
  check_similarities(similarities, kPSpectral);
  check_not_negative(similarities, kPSpectral);
  const std::size_t n = objects(similarities);
  if (options.clusters < 1 || options.clusters > n) {
    refuse("out_of_range", "", "{}: found {} clusters; allowed: 1 to {} objects", kPSpectral,
           options.clusters, n);
  }
  if (options.clusters == 1) {  // also where objects have no similarities
    return {Labels(n, 0), 0, 0};
  }
  const std::vector<double> weights = object_weights(similarities, options.normalized, team);
  const std::vector<double> degree = degrees(similarities, team);

  const WeightedGraph graph{similarities, weights, degree};
  PSpectralResult result;
  const auto best_split = [&](std::span<const ObjectId> members) -> std::optional<Split> {
    return p_split(graph, members, options, team, control, result.steps);
  };
  result.labels = split_recursively(n, options.clusters, best_split, kPSpectral, control);
  result.cut = total_cut(similarities, result.labels, weights);
  return result;
}

PEigenpair p_eigenpair(const Similarities& similarities, const PSpectralOptions& options,
                       const Control& control) {
  check_power(options.p);
  check_similarities(similarities, kPSpectral);
  check_not_negative(similarities, kPSpectral);
  ThreadTeam team(options.threads);
  std::vector<double> weights = object_weights(similarities, options.normalized, team);
  if (weights.size() < 2) {
    refuse("out_of_range", "", "{}: found 1 object; allowed: 2 or more", kPSpectral);
  }
  Eigenpair second = second_laplacian_eigenpair(similarities, weights, team, control);
  PFunctional functional(similarities, std::move(weights), team);
  const auto go_on = [](const PFunctional::Point&) { return false; };
  PDescent descent = p_descend(functional, 2, std::move(second.vector), 0, go_on, control);
  descent.converged = second.converged;
  for (const double p : powers_down_to(options.p)) {
    descent =
        p_descend(functional, p, std::move(descent.point.u), options.max_steps, go_on, control);
  }
  return {descent.point.value, std::move(descent.point.u), std::move(descent.history),
          descent.converged};
}

double p_functional(const Similarities& similarities, std::span<const double> u, double p,
                    bool normalized, int threads) {
  check_power(p);
  check_similarities(similarities, kPSpectral);
  check_not_negative(similarities, kPSpectral);
  ThreadTeam team(threads);
  std::vector<double> weights = object_weights(similarities, normalized, team);
  const bool varies = std::any_of(u.begin(), u.end(), [&](double x) { return x != u.front(); });
  if (u.size() != weights.size() || !varies) {
    refuse("out_of_range", "",
           "{}: found {} {} entries; allowed: one for each of {} objects, not all equal",
           kPSpectral, u.size(), varies ? "different" : "equal", weights.size());
  }
  return PFunctional(similarities, std::move(weights), team)
      .at(p, std::vector<double>(u.begin(), u.end()))
      .value;
}

}  // namespace shiftcut::methods

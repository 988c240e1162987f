// Simulated annealing: labels drawn from the Boltzmann law p(c) ~ exp(-R / tau) at a temperature
// tau that falls from sweep to sweep, then the local search from the best labels seen. The cost may
// rise on the way, so that it leaves local optima that single moves cannot (Kirkpatrick, Gelatt,
// Vecchi 1983; for clustering, Hofmann, Buhmann 1997).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "problem/problem.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

enum class Dynamics {
  heat_bath,   // an object goes to cluster k with a probability ~ exp(2 a(o,k) / tau)
  metropolis,  // to a cluster drawn evenly, with the probability min(1, exp(-dR / tau))
};

/// Up to 200 sweeps, the temperature falling by 5% a sweep from the median |dR| of 1000 random
/// moves, measured at the start and after the first sweep, the larger; ends earlier when a sweep
/// moves nothing. Starts at `labels` and leaves the answer there: never of a higher cost than any
/// labels a sweep ended with, and a local optimum unless stopped. One thread, apart from the last
/// descent. All of the returned Restart but `seconds` is filled in.
Restart anneal(const Problem& problem, std::vector<ClusterId>& labels,
               std::optional<std::size_t> clusters, const Context& context,
               Dynamics dynamics = Dynamics::heat_bath);

/// Turns affinities into weights ~ exp(2 a / tau), the largest being 1.
void heat_bath_weights(std::span<double> affinities, double tau);

}  // namespace shiftcut

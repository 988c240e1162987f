#include "methods/dominant_sets/replicator.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace shiftcut::methods {

namespace {

constexpr double kExtinct = 1e-2;  // of the tolerance and the largest entry

// Those of a part that are still there.
struct Survivors {
  SimilarityPart part;
  std::vector<double> x;
  std::vector<std::uint32_t> at;  // in the part that was given
};

Survivors select(const SimilarityPart& part, std::span<const double> x,
                 std::span<const std::uint32_t> at) {
  std::vector<std::uint32_t> positions;
  std::vector<double> weights;
  std::vector<std::uint32_t> places;
  for (std::uint32_t k = 0; k < x.size(); ++k) {
    if (x[k] > 0) {
      positions.push_back(k);
      weights.push_back(x[k]);
      places.push_back(at[k]);
    }
  }
  return {part.kept(positions), std::move(weights), std::move(places)};
}

// One step; returns how far x moved. Rounding may leave a payoff of zero slightly below it.
double step(std::span<double> x, std::span<double> payoff, double f) {
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double next = x[i] * std::max(payoff[i], 0.0) / f;
    squares += (next - x[i]) * (next - x[i]);
    x[i] = next;
  }
  return std::sqrt(squares);
}

// Sets to zero what is all but extinct; returns how many are not zero.
std::size_t take_out_extinct(std::span<double> x, std::span<const double> payoff, double f,
                             double tolerance) {
  const double least = kExtinct * tolerance * *std::max_element(x.begin(), x.end());
  std::size_t left = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < least && payoff[i] < f) {
      x[i] = 0;
    }
    left += x[i] > 0 ? 1 : 0;
  }
  return left;
}

}  // namespace

Population replicate(const SimilarityPart& part, const Lift& lift, std::vector<double> x,
                     const DynamicsLimits& limits, const Workers& workers) {
  std::vector<std::uint32_t> all(part.size());
  std::iota(all.begin(), all.end(), 0U);
  Survivors now = select(part, x, all);
  std::vector<double> payoff(now.x.size());
  Population found;
  while (found.steps < limits.max_steps) {
    stop_if_asked(workers.control);
    const double f = payoffs(now.part, lift, now.x, payoff, workers.team);
    found.converged = f <= 0 || step(now.x, payoff, f) < limits.tolerance;
    if (found.converged) {
      break;
    }
    ++found.steps;
    if (take_out_extinct(now.x, payoff, f, limits.tolerance) <= now.x.size() * 3 / 4) {
      now = select(now.part, now.x, now.at);
      payoff.resize(now.x.size());
    }
  }
  found.x.assign(part.size(), 0.0);
  for (std::size_t k = 0; k < now.x.size(); ++k) {
    found.x[now.at[k]] = now.x[k];
  }
  return found;
}

}  // namespace shiftcut::methods

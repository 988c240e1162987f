// Follows the dynamics to a local maximum of f = x^T B x on the simplex. There, payoffs (Bx)_i
// equal f on the support and are not above f elsewhere (first order), and d^T B d is not positive
// for any d on the support with sum 0 (second order).
#include "methods/dominant_sets/dominant_set.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/message.hpp"
#include "methods/dominant_sets/tuning.hpp"

namespace shiftcut::methods {

namespace {

double value_of(const SimilarityPart& part, const Lift& lift, std::span<const double> x,
                const Workers& workers) {
  std::vector<double> payoff(x.size());
  return payoffs(part, lift, x, payoff, workers.team);
}

double largest(std::span<const double> x) { return *std::max_element(x.begin(), x.end()); }

// Lets in the excluded objects that would do better than the mean, by an exact line search towards
// a mixture of them: f grows. False if there is none.
bool invade(const SimilarityPart& part, const Lift& lift, double support, std::vector<double>& x,
            const Workers& workers) {
  const std::size_t m = part.size();
  std::vector<double> payoff(m);
  const double f = payoffs(part, lift, x, payoff, workers.team);
  const double present = support * largest(x);
  double unit = 0;  // the size of payoffs without the constant they share
  for (const double p : payoff) {
    unit = std::max(unit, std::abs(p - lift.everywhere));
  }
  std::vector<double> mixture(m, 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < m; ++i) {
    if (x[i] <= present && payoff[i] > f + kBetterPayoff * unit) {
      mixture[i] = payoff[i] - f;
      sum += mixture[i];
    }
  }
  if (sum <= 0) {
    return false;
  }
  double against = 0;  // mixture . payoff
  for (std::size_t i = 0; i < m; ++i) {
    mixture[i] /= sum;
    against += mixture[i] * payoff[i];
  }
  const double curvature = value_of(part, lift, mixture, workers) - 2 * against + f;
  const double length = curvature < 0 ? std::min(0.5, (against - f) / -curvature) : 0.5;
  for (std::size_t i = 0; i < m; ++i) {
    x[i] += length * (mixture[i] - x[i]);
  }
  return true;
}

// Runs the dynamics until it rests. When the replicator is slow, tries now and then to solve for
// its end point.
Population run(const SimilarityPart& part, const Lift& lift, std::vector<double> x,
               const DynamicsOptions& options, std::size_t most, const Workers& workers) {
  if (options.dynamics == Dynamics::infection) {
    return infect(part, lift, std::move(x), {options.tolerance, most}, workers);
  }
  Population now{std::move(x), 0, false};
  for (std::size_t steps = kStepsBeforeSolving; !now.converged && now.steps < most; steps *= 2) {
    Population next = replicate(part, lift, std::move(now.x),
                                {options.tolerance, std::min(steps, most - now.steps)}, workers);
    now = {std::move(next.x), now.steps + next.steps, next.converged};
    now.converged = now.converged || (next.steps == steps &&
                                      solve_on_face(part, lift, options.support, now.x, workers));
  }
  return now;
}

// max(10^4, 10^(ceil(log10 n) + 1)), and ten times that for infection, whose steps move one object.
std::size_t default_max_steps(Dynamics dynamics, std::size_t objects) {
  std::size_t steps = 10;
  for (std::size_t power = 1; power < objects; power *= 10) {
    steps *= 10;
  }
  return std::max<std::size_t>(10000, steps) * (dynamics == Dynamics::infection ? 10 : 1);
}

FoundSet members_of(const Population& population, double support) {
  FoundSet found;
  found.steps = population.steps;
  found.converged = population.converged;
  const double least = support * largest(population.x);
  double sum = 0;
  for (std::uint32_t i = 0; i < population.x.size(); ++i) {
    if (population.x[i] > least) {
      found.positions.push_back(i);
      found.weights.push_back(population.x[i]);
      sum += population.x[i];
    }
  }
  for (double& weight : found.weights) {
    weight /= sum;
  }
  return found;
}

}  // namespace

void check_options(const DynamicsOptions& options, std::string_view method) {
  if (!(options.tolerance > 0) || !std::isfinite(options.tolerance)) {
    refuse("out_of_range", "", "{}: found the tolerance {}; allowed: above 0", method,
           options.tolerance);
  }
  if (!(options.support >= 0 && options.support < 1)) {
    refuse("out_of_range", "", "{}: found the support threshold {}; allowed: 0 or more, below 1",
           method, options.support);
  }
}

std::optional<FoundSet> find_dominant_set(const SimilarityPart& part, const Lift& lift,
                                          const DynamicsOptions& options, const Workers& workers,
                                          WarmStart* warm_start) {
  const std::size_t most =
      options.max_steps > 0 ? options.max_steps : default_max_steps(options.dynamics, part.size());
  const bool replicates = options.dynamics == Dynamics::replicator;
  std::optional<Population> near;
  if (warm_start != nullptr) {
    near = warm_start->run({.max_steps = most}, workers);
  }
  if (!near) {
    near = Population{barycentre(part.size()), 0, true};
    const double plain = value_of(part, {}, near->x, workers);
    if (lift.everywhere <= 0 && plain <= 0) {
      return std::nullopt;
    }
    if (plain + lift.everywhere + lift.diagonal / static_cast<double>(part.size()) <=
        kRounding * std::abs(lift.everywhere)) {
      return members_of(*near,
                        options.support);  // the shift leaves nothing: all are equally similar
    }
  }
  Population now = std::move(*near);
  double f = 0;
  bool moved = true;
  for (bool first = true; moved; first = false) {
    Population next = run(part, lift, std::move(now.x), options, most - now.steps, workers);
    now = {std::move(next.x), now.steps + next.steps, next.converged};
    const double before = std::exchange(f, value_of(part, lift, now.x, workers));
    moved = now.converged && (first || f > before * (1 + kRounding)) &&
            ((replicates && invade(part, lift, options.support, now.x, workers)) ||
             leave_saddle(part, lift, now.x, workers));
  }
  return members_of(now, options.support);
}

}  // namespace shiftcut::methods

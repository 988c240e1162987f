// v <- P v / |P v|_1 until the velocity |v_t - v_t-1|, entry by entry, changes by at most
// tolerance / n: the sup norm of the acceleration (Lin, Cohen 2010). First compared at the second
// step. Sums run in the order of the objects, so that threads do not change the result.
#include "shiftcut/methods/power_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/message.hpp"
#include "core/rng.hpp"
#include "core/work_meter.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

constexpr const char* kPowerIteration = "power iteration";

void check_options(const PowerIterationOptions& options) {
  if (!(options.tolerance >= 0)) {
    refuse("out_of_range", "", "{}: found tolerance {}; allowed: 0 or more", kPowerIteration,
           options.tolerance);
  }
  if (options.max_steps < 1) {
    refuse("out_of_range", "", "{}: found max_steps {}; allowed: 1 or more", kPowerIteration,
           options.max_steps);
  }
}

// Inverse degrees; every degree must be above 0.
std::vector<double> inverse_degrees(const Similarities& similarities, ThreadTeam& team) {
  check_similarities(similarities, kPowerIteration);
  check_not_negative(similarities, kPowerIteration);
  std::vector<double> inverse = degrees(similarities, team);
  for (std::size_t i = 0; i < inverse.size(); ++i) {
    if (inverse[i] == 0) {
      refuse("out_of_range", "",
             "{}: found object {} without a similarity above 0; allowed: degrees above 0",
             kPowerIteration, i);
    }
    inverse[i] = 1 / inverse[i];
  }
  return inverse;
}

void scale_to_sum_one(std::span<double> v) {
  double sum = 0;
  for (const double value : v) {
    sum += std::abs(value);
  }
  if (!(sum > 0) || !std::isfinite(sum)) {
    refuse("out_of_range", "",
           "{}: found a vector of sum {}; allowed: starts that are finite and not all zero",
           kPowerIteration, sum);
  }
  for (double& value : v) {
    value /= sum;
  }
}

// Iterates v in place. Returns the number of steps, negative if it reached the limit.
int iterate(const Similarities& similarities, std::span<const double> inverse,
            std::vector<double>& v, const PowerIterationOptions& options, ThreadTeam& team,
            const Control& control) {
  const std::size_t n = v.size();
  const double enough = options.tolerance / static_cast<double>(n);
  std::vector<double> next(n);
  std::vector<double> velocity(n);
  for (int step = 1; step <= options.max_steps; ++step) {
    stop_if_asked(control);
    multiply(similarities, v, next, team);
    for (std::size_t i = 0; i < n; ++i) {
      next[i] *= inverse[i];
    }
    scale_to_sum_one(next);
    double acceleration = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double now = std::abs(next[i] - v[i]);
      acceleration = std::max(acceleration, std::abs(now - velocity[i]));
      velocity[i] = now;
    }
    v.swap(next);
    if (step > 1 && acceleration <= enough) {
      return step;
    }
  }
  return -options.max_steps;
}

}  // namespace

PowerEmbedding power_iteration_from(const Similarities& similarities, std::vector<double> starts,
                                    const PowerIterationOptions& options, const Control& control) {
  check_options(options);
  ThreadTeam team(options.threads);
  const std::vector<double> inverse = inverse_degrees(similarities, team);
  const std::size_t n = inverse.size();
  if (starts.empty() || starts.size() % n != 0) {
    refuse("out_of_range", "",
           "{}: found {} numbers to start from; allowed: a multiple of the {} objects",
           kPowerIteration, starts.size(), n);
  }
  PowerEmbedding result;
  result.columns = starts.size() / n;
  result.values.resize(starts.size());
  result.converged = true;
  WorkMeter meter(control, kPowerIteration, result.columns);
  for (std::size_t column = 0; column < result.columns; ++column) {
    const auto first = starts.begin() + static_cast<std::ptrdiff_t>(column * n);
    std::vector<double> v(first, first + static_cast<std::ptrdiff_t>(n));
    scale_to_sum_one(v);
    const int steps = iterate(similarities, inverse, v, options, team, control);
    result.steps.push_back(std::abs(steps));
    result.converged = result.converged && steps > 0;
    for (std::size_t i = 0; i < n; ++i) {
      result.values[i * result.columns + column] = v[i];
    }
    meter.add();
  }
  return result;
}

PowerEmbedding power_iteration(const Similarities& similarities,
                               const PowerIterationOptions& options, const Control& control) {
  if (options.columns < 1) {
    refuse("out_of_range", "", "{}: found 0 columns; allowed: 1 or more", kPowerIteration);
  }
  const std::size_t n = objects(similarities);
  std::vector<double> starts;
  if (options.start == PowerStart::degree) {
    check_similarities(similarities, kPowerIteration);
    ThreadTeam team(options.threads);
    starts = degrees(similarities, team);
  }
  for (std::size_t column = starts.empty() ? 0 : 1; column < options.columns; ++column) {
    Rng rng(options.seed, column);
    for (std::size_t i = 0; i < n; ++i) {
      starts.push_back(1 - rng.uniform());
    }
  }
  return power_iteration_from(similarities, std::move(starts), options, control);
}

}  // namespace shiftcut::methods

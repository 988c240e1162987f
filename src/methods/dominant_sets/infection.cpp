#include "methods/dominant_sets/dynamics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "methods/dominant_sets/tuning.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// x and the payoffs g = Ax + diagonal x, both up to the factor `scale`: the part of a step that is
// the same for all objects, (1 - length), changes one number only.
class Scaled {
 public:
  Scaled(const SimilarityPart& part, double diagonal, std::vector<double> x, const Workers& workers)
      : part_(part), diagonal_(diagonal), workers_(workers), x_(std::move(x)), g_(x_.size()) {
    compute();
  }

  [[nodiscard]] double x(std::size_t i) const { return scale_ * x_[i]; }
  [[nodiscard]] double payoff(std::size_t i) const { return scale_ * g_[i]; }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double curvature(std::size_t i) const { return diagonal_ - 2 * payoff(i) + mean_; }

  /// Recomputes everything from x, to remove drift.
  void compute() {
    normalise();
    mean_ = payoffs(part_, {0, diagonal_}, x_, g_, workers_.team);
  }

  /// x <- (1 - length) x + length e_i. Sets x_i to exactly 0 if the step is to remove it.
  void step(std::size_t i, double length, bool gone) {
    mean_ += length * (2 * (payoff(i) - mean_) + length * curvature(i));
    scale_ *= 1 - length;
    if (!(scale_ > 1e-30 && scale_ < 1e30)) {
      apply_scale();
    }
    const double share = length / scale_;
    x_[i] = gone ? 0.0 : x_[i] + share;
    absent_[i] = gone ? kInfinity : 0.0;
    g_[i] += share * diagonal_;
    part_.add_row(i, share, g_);
  }

  /// The object with the largest payoff, and the one with the smallest among those present.
  [[nodiscard]] std::pair<std::size_t, std::size_t> extremes() const {
    constexpr std::size_t kLanes = 8;  // independent, so that the loop vectorises
    std::array<double, kLanes> most;
    std::array<double, kLanes> least;
    most.fill(-kInfinity);
    least.fill(kInfinity);
    const std::size_t whole = g_.size() / kLanes * kLanes;
    for (std::size_t i = 0; i < whole; i += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const double g = g_[i + lane];
        const double present = g + absent_[i + lane];
        most[lane] = g > most[lane] ? g : most[lane];
        least[lane] = present < least[lane] ? present : least[lane];
      }
    }
    for (std::size_t i = whole; i < g_.size(); ++i) {
      most[0] = std::max(most[0], g_[i]);
      least[0] = std::min(least[0], g_[i] + absent_[i]);
    }
    const double highest = *std::max_element(most.begin(), most.end());
    const double lowest = *std::min_element(least.begin(), least.end());
    std::size_t best = 0;
    while (g_[best] != highest) {
      ++best;
    }
    std::size_t worst = 0;
    while (g_[worst] + absent_[worst] != lowest) {
      ++worst;
    }
    return {best, worst};
  }

  /// |min(x, -r)|_2, with payoffs in units of `unit`.
  [[nodiscard]] double residual(double unit) const {
    double squares = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      const double part = std::min(x(i), (mean_ - payoff(i)) / unit);
      squares += part * part;
    }
    return std::sqrt(squares);
  }

  /// The largest payoff without the diagonal's contribution.
  [[nodiscard]] double largest_similarity() const {
    double largest = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      largest = std::max(largest, payoff(i) - diagonal_ * x(i));
    }
    return largest;
  }

  std::vector<double> take() {
    normalise();
    return std::move(x_);
  }

 private:
  void normalise() {
    apply_scale();
    const double sum = std::accumulate(x_.begin(), x_.end(), 0.0);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] /= sum;
      absent_[i] = x_[i] > 0 ? 0.0 : kInfinity;
    }
  }

  void apply_scale() {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] *= scale_;
      g_[i] *= scale_;
    }
    scale_ = 1;
  }

  const SimilarityPart& part_;
  double diagonal_;
  const Workers& workers_;
  std::vector<double> x_;
  std::vector<double> g_;
  std::vector<double> absent_ = std::vector<double>(x_.size());  // infinity where x is 0, else 0
  double scale_ = 1;
  double mean_ = 0;
};

}  // namespace

Population infect(const SimilarityPart& part, const Lift& lift, std::vector<double> x,
                  const DynamicsLimits& limits, const Workers& workers) {
  const std::size_t period =
      std::max(kRecomputeAfter, part.size());  // recomputing costs no more than the steps
  Scaled now(part, lift.diagonal, std::move(x), workers);
  const double unit = now.largest_similarity();
  Population found;
  found.converged = unit <= 0;
  while (!found.converged && found.steps < limits.max_steps) {
    if (found.steps % 64 == 0) {
      stop_if_asked(workers.control);
    }
    const auto [best, worst] = now.extremes();
    const double above = now.payoff(best) - now.mean();
    const double below = now.mean() - now.payoff(worst);
    // A lower bound on the residual, which takes another pass.
    const double seen = std::max(above / unit, std::min(now.x(worst), below / unit));
    found.converged = (seen < limits.tolerance && now.residual(unit) < limits.tolerance) ||
                      (above < below && now.x(worst) >= 1);
    if (found.converged) {
      break;
    }
    const bool spreads = above >= below;
    const std::size_t chosen = spreads ? best : worst;
    const double share = now.x(chosen);
    const double limit = spreads ? 1 : share / (share - 1);  // the whole population, or none of it
    const double curvature = now.curvature(chosen);
    const double top = -(spreads ? above : -below) / curvature;  // of f on this line
    const bool inside = curvature < 0 && std::abs(top) < std::abs(limit);
    now.step(chosen, inside ? top : limit, !inside && !spreads);
    if (found.steps % period == period - 1) {
      now.compute();
    }
    ++found.steps;
  }
  found.x = now.take();
  return found;
}

}  // namespace shiftcut::methods

// The second derivative of F_p without the terms of the denominator is
//   p (p-1) / den * L_u,   L_u the graph Laplacian of w_ij |u_i - u_j|^(p-2):
// positive semidefinite, so its Newton step descends; at p = 2 it is inverse iteration.
#include "methods/spectral/p_laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "methods/operations.hpp"
#include "methods/spectral/tuning.hpp"

namespace shiftcut::methods {

namespace {

double inner_product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

// The last Givens rotation, and what it leaves for the next columns.
struct Rotations {
  double c = -1;
  double s = 0;
  double delta_bar = 0;
  double epsilon = 0;
};

double norm(const std::vector<double>& a) { return std::sqrt(inner_product(a, a)); }

// F does not depend on the scale; this one keeps the numbers in range.
std::vector<double> scaled(std::vector<double> u) {
  double largest = 0;
  for (const double entry : u) {
    largest = std::max(largest, std::abs(entry));
  }
  if (largest > 0) {
    for (double& entry : u) {
      entry /= largest;
    }
  }
  return u;
}

std::vector<double> newton_direction(PFunctional& functional, double p,
                                     const PFunctional::Point& point, const Control& control) {
  functional.curve_at(p, point);
  std::vector<double> diagonal = functional.curvature_diagonal();
  double mean = 0;
  for (const double entry : diagonal) {
    mean += entry / static_cast<double>(diagonal.size());
  }
  const double ridge = kRidge * mean;
  for (double& entry : diagonal) {
    entry += ridge;
  }
  std::vector<double> right = point.gradient;
  for (double& entry : right) {
    entry *= -point.denominator / (p * (p - 1));
  }
  return minres(
             [&](std::span<const double> in, std::span<double> out) {
               stop_if_asked(control);
               functional.multiply_curvature(in, out);
               for (std::size_t i = 0; i < in.size(); ++i) {
                 out[i] += ridge * in[i];
               }
             },
             diagonal, right, {})
      .solution;
}

// The first of the shrinking steps along the direction that lowers F enough, if any does.
std::optional<PFunctional::Point> search_along(const PFunctional& functional, double p,
                                               const PFunctional::Point& from,
                                               const std::vector<double>& direction, double step,
                                               double shrink, int tries) {
  const double slope = inner_product(from.gradient, direction);
  if (!(slope < 0)) {
    return std::nullopt;
  }
  for (int k = 0; k < tries; ++k, step *= shrink) {
    std::vector<double> u = from.u;
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] += step * direction[i];
    }
    PFunctional::Point to = functional.at(p, scaled(std::move(u)));
    if (to.value < from.value && to.value <= from.value + kArmijo * step * slope) {
      return to;
    }
  }
  return std::nullopt;
}

std::optional<PFunctional::Point> next_point(PFunctional& functional, double p,
                                             const PFunctional::Point& point,
                                             const Control& control) {
  const std::vector<double> newton = newton_direction(functional, p, point, control);
  auto next = search_along(functional, p, point, newton, 1, 0.5, kHalvings);
  if (!next) {
    std::vector<double> down = point.gradient;
    for (double& entry : down) {
      entry = -entry;
    }
    next = search_along(functional, p, point, down, norm(point.u) / norm(down), 0.1, kTenths);
  }
  return next;
}

}  // namespace

// Lanczos on D^-1/2 A D^-1/2. Givens rotations make its tridiagonal matrix triangular as it grows;
// each step adds one direction to the solution and multiplies the residual by a sine.
MinresResult minres(
    const std::function<void(std::span<const double>, std::span<double>)>& multiply_with,
    std::span<const double> diagonal, std::span<const double> right, const MinresOptions& options) {
  const std::size_t n = right.size();
  MinresResult result;
  result.solution.assign(n, 0.0);

  std::vector<double> before(n);  // Lanczos residuals, before normalisation
  std::vector<double> last(right.begin(), right.end());
  std::vector<double> y(n);  // D^-1 last
  const auto precondition = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = last[i] / diagonal[i];
    }
    return std::sqrt(inner_product(last, y));
  };
  const double start = precondition();
  if (!(start > 0)) {
    result.converged = true;
    return result;
  }

  std::vector<double> v(n);
  std::vector<double> next(n);
  std::vector<double> w(n);
  std::vector<double> w_before(n);
  Rotations rotation;
  double beta_before = 0;
  double beta = start;
  double residual = start;
  while (result.steps < options.max_steps) {
    ++result.steps;
    for (std::size_t i = 0; i < n; ++i) {
      v[i] = y[i] / beta;
    }
    multiply_with(v, next);
    const double back = result.steps > 1 ? beta / beta_before : 0;
    for (std::size_t i = 0; i < n; ++i) {
      next[i] -= back * before[i];
    }
    const double alpha = inner_product(v, next);
    for (std::size_t i = 0; i < n; ++i) {
      next[i] -= alpha / beta * last[i];
    }
    before.swap(last);
    last.swap(next);
    beta_before = beta;
    beta = precondition();

    const double epsilon_before = rotation.epsilon;
    const double delta = rotation.c * rotation.delta_bar + rotation.s * alpha;
    const double gamma_bar = rotation.s * rotation.delta_bar - rotation.c * alpha;
    rotation.epsilon = rotation.s * beta;
    rotation.delta_bar = -rotation.c * beta;
    const double gamma = std::sqrt(gamma_bar * gamma_bar + beta * beta);
    if (!(gamma > 0)) {
      break;  // singular, and solved as far as possible
    }
    rotation.c = gamma_bar / gamma;
    rotation.s = beta / gamma;
    const double along = rotation.c * residual;
    residual *= rotation.s;
    for (std::size_t i = 0; i < n; ++i) {
      const double direction = (v[i] - epsilon_before * w_before[i] - delta * w[i]) / gamma;
      w_before[i] = w[i];
      w[i] = direction;
      result.solution[i] += along * direction;
    }
    if (std::abs(residual) <= options.tolerance * start) {
      result.converged = true;
      break;
    }
  }
  return result;
}

PDescent p_descend(PFunctional& functional, double p, std::vector<double> u, int max_steps,
                   const WatchPoint& watch, const Control& control) {
  PDescent descent;
  descent.point = functional.at(p, scaled(std::move(u)));
  descent.history.push_back(descent.point.value);
  int still = 0;
  for (int step = 0; step < max_steps; ++step) {
    const PFunctional::Point& point = descent.point;
    if (norm(point.gradient) * norm(point.u) <= kGradient * p * point.value) {
      descent.converged = true;
      break;
    }
    auto next = next_point(functional, p, point, control);
    if (!next) {
      descent.converged = true;
      break;
    }
    still = point.value - next->value < kChange * point.value ? still + 1 : 0;
    descent.point = std::move(*next);
    descent.history.push_back(descent.point.value);
    if (watch(descent.point) || still >= kStillSteps) {
      descent.converged = true;
      break;
    }
  }
  return descent;
}

std::vector<double> powers_down_to(double p) {
  std::vector<double> powers;
  for (double now = 2; now > p;) {
    now = std::max(0.9 * now, p);
    powers.push_back(now);
  }
  return powers;
}

}  // namespace shiftcut::methods

// The second derivative of F_p without the terms of the denominator is
//   p (p-1) / den * L_u,   L_u the graph Laplacian of w_ij |u_i - u_j|^(p-2):
// positive semidefinite, so its step goes down; at p = 2 it is inverse iteration.
#include "methods/spectral/p_descent.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "methods/spectral/minres.hpp"

namespace shiftcut::methods {

namespace {

constexpr double kRidge = 1e-10;  // against the mean of the diagonal
constexpr double kArmijo = 1e-4;
constexpr double kGradient = 1e-6;
constexpr double kChange = 1e-8;
constexpr int kStill = 10;  // steps that change little
constexpr int kHalvings = 12;
constexpr int kTenths = 12;

double inner_product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

double norm(const std::vector<double>& a) { return std::sqrt(inner_product(a, a)); }

// Scales do not count for F; this one keeps the numbers in range.
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
               if (control.stop_requested()) {
                 throw Interrupted();
               }
               functional.multiply_curvature(in, out);
               for (std::size_t i = 0; i < in.size(); ++i) {
                 out[i] += ridge * in[i];
               }
             },
             diagonal, right, {})
      .solution;
}

// The first of the shrinking steps along the direction that lowers F enough, if one does.
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
    if (watch(descent.point) || still >= kStill) {
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

#include "similarity/minimise.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "core/kernels/kernels.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kRemembered = 8;  // steps that approximate the Hessian
constexpr double kEnough = 1e-4;        // of the descent that the slope promises (Armijo)
constexpr int kMostHalvings = 30;

struct Step {
  std::vector<double> along;  // x after it less x before it
  std::vector<double> turn;   // the same of gradients
  double product = 0;         // of the two; above 0
};

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return dot(a.data(), b.data(), a.size());
}

// The two-loop recursion: -H gradient, where H approximates the inverse Hessian from past steps.
std::vector<double> direction_from(const std::deque<Step>& steps, std::vector<double> gradient) {
  std::vector<double> shares(steps.size());
  for (std::size_t s = steps.size(); s-- > 0;) {
    shares[s] = product(steps[s].along, gradient) / steps[s].product;
    add_scaled(gradient.data(), -shares[s], steps[s].turn.data(), gradient.size());
  }
  const double scale =
      steps.empty() ? 1 : steps.back().product / product(steps.back().turn, steps.back().turn);
  for (double& g : gradient) {
    g *= scale;
  }
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const double share = product(steps[s].turn, gradient) / steps[s].product;
    add_scaled(gradient.data(), shares[s] - share, steps[s].along.data(), gradient.size());
  }
  for (double& g : gradient) {
    g = -g;
  }
  return gradient;
}

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out(a);
  add_scaled(out.data(), -1, b.data(), b.size());
  return out;
}

}  // namespace

std::vector<double> minimise(const Objective& objective, std::vector<double> x, double tolerance,
                             int most) {
  std::vector<double> gradient(x.size());
  std::vector<double> next_gradient(x.size());
  double value = objective(x, gradient);
  const double small = tolerance * std::sqrt(product(gradient, gradient));
  std::deque<Step> steps;
  for (int step = 0; step < most && product(gradient, gradient) > small * small; ++step) {
    std::vector<double> direction = direction_from(steps, gradient);
    double slope = product(direction, gradient);
    if (!(slope < 0)) {
      steps.clear();
      direction = direction_from(steps, gradient);
      slope = product(direction, gradient);
    }
    double length = steps.empty() ? std::min(1.0, 1 / std::sqrt(-slope)) : 1;
    std::vector<double> next;
    double next_value = value;
    bool descends = false;
    for (int halving = 0; halving < kMostHalvings && !descends; ++halving, length /= 2) {
      next = x;
      add_scaled(next.data(), length, direction.data(), x.size());
      next_value = objective(next, next_gradient);
      descends = next_value <= value + kEnough * length * slope;
    }
    if (!descends) {
      break;
    }
    Step taken{difference(next, x), difference(next_gradient, gradient), 0};
    taken.product = product(taken.along, taken.turn);
    if (taken.product > 0) {
      steps.push_back(std::move(taken));
      if (steps.size() > kRemembered) {
        steps.pop_front();
      }
    }
    x = std::move(next);
    gradient = next_gradient;
    value = next_value;
  }
  return x;
}

}  // namespace shiftcut

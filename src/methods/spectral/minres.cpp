// Lanczos on D^-1/2 A D^-1/2, whose tridiagonal matrix Givens rotations make triangular as it
// grows; each step adds one direction to the solution and multiplies the residual by a sine.
#include "methods/spectral/minres.hpp"

#include <cmath>
#include <cstddef>

namespace shiftcut::methods {

namespace {

double inner_product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

// The last two rotations: cosine and sine.
struct Rotations {
  double c = -1;
  double s = 0;
  double delta_bar = 0;  // what the last one left for the next column
  double epsilon = 0;
};

}  // namespace

MinresResult minres(
    const std::function<void(std::span<const double>, std::span<double>)>& multiply_with,
    std::span<const double> diagonal, std::span<const double> right, const MinresOptions& options) {
  const std::size_t n = right.size();
  MinresResult result;
  result.solution.assign(n, 0.0);

  std::vector<double> before(n);  // Lanczos residuals, before the division
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
      break;  // singular, and all that can be solved is
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

}  // namespace shiftcut::methods

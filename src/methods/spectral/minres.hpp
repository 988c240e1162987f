// MINRES (Paige, Saunders 1975) for a symmetric matrix that is only multiplied with, preconditioned
// by a diagonal. Never forms the matrix; keeps a handful of vectors.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace shiftcut::methods {

struct MinresOptions {
  double tolerance =
      1e-6;  // of the residual against the right-hand side, in the norm of 1/diagonal
  int max_steps = 200;
};

struct MinresResult {
  std::vector<double> solution;
  int steps = 0;
  bool converged = false;
};

/// Solves A x = b from x = 0; all of `diagonal` is above 0. For a singular but consistent system
/// the solution is one of many.
MinresResult minres(
    const std::function<void(std::span<const double>, std::span<double>)>& multiply_with,
    std::span<const double> diagonal, std::span<const double> right, const MinresOptions& options);

}  // namespace shiftcut::methods

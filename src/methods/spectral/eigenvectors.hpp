// The lowest eigenvector of a symmetric matrix given by its product with a vector: implicitly
// restarted Lanczos (Spectra), or, for a few objects, a direct solver.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

struct Eigenpair {
  double value = 0;
  std::vector<double> vector;
  bool converged = false;  // false: the best found
};

/// out = M in, for a symmetric M of n rows.
struct SymmetricOperator {
  std::size_t n = 0;
  std::function<void(std::span<const double>, std::span<double>)> apply;
  double bound = 1;  // above 0; no eigenvalue lies above it
  double scale = 1;  // of the eigenvalues of interest: the residual goes down to 1e-10 of it
};

/// The eigenpair of the smallest eigenvalue; the vector has length 1. Throws Interrupted.
Eigenpair lowest_eigenpair(const SymmetricOperator& matrix, const Control& control);

/// The second eigenpair of L y = lambda G y, L = D - W the Laplacian of the similarities and G the
/// diagonal matrix of `weights`, all above 0: the lowest among the y with sum_i g_i y_i = 0, which
/// leaves out the constant. The vector has sum_i g_i y_i^2 = 1. At least two objects.
Eigenpair second_laplacian_eigenpair(const Similarities& similarities,
                                     std::span<const double> weights, ThreadTeam& team,
                                     const Control& control);

}  // namespace shiftcut::methods

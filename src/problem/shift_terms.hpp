// The shift as two numbers. With row sums r of X, every shift that is not a matrix of its own is
//   S_ij = X_ij - flat - per_degree * (r_i + r_j).
// constant alpha, strength L: flat = L alpha, per_degree = 0;
// adaptive (alpha_ij = r_i/n + r_j/n - total/n^2): flat = -L total/n^2, per_degree = L/n.
#pragma once

#include <cstddef>
#include <string>

#include "shiftcut/options.hpp"

namespace shiftcut {

struct ShiftTerms {
  double flat = 0;
  double per_degree = 0;
};

/// `total` is the sum of all X_ij. For ShiftKind::matrix: no terms, the matrix is in S already.
ShiftTerms shift_terms(const ShiftOptions& shift, std::size_t n, double total);

/// "adaptive", "constant", ...: the vocabulary of options and results.
std::string shift_name(ShiftKind kind);

}  // namespace shiftcut

// The shift as three numbers. With row sums r of X, every shift that is not a matrix of its own is
//   S_ij = X_ij - flat - per_degree * (r_i + r_j) - per_product * r_i r_j.
// constant alpha, strength L: flat = L alpha;
// adaptive (alpha_ij = r_i/n + r_j/n - total/n^2): flat = -L total/n^2, per_degree = L/n;
// degree (alpha_ij = r_i r_j / total): per_product = L/total. The cost is then -total times the
// modularity of resolution L (Newman, Girvan 2004; Reichardt, Bornholdt 2006).
#pragma once

#include <string>

#include "shiftcut/options.hpp"

namespace shiftcut {

struct ShiftTerms {
  double flat = 0;
  double per_degree = 0;
  double per_product = 0;

  /// What a node of `size` objects, their r summing to `degree`, loses in affinity to a cluster for
  /// every object of it.
  [[nodiscard]] double per_size(double size, double degree) const {
    return size * flat + per_degree * degree;
  }
  /// And for every unit of the cluster's degrees.
  [[nodiscard]] double per_unit_degree(double size, double degree) const {
    return size * per_degree + per_product * degree;
  }
  [[nodiscard]] bool count_sizes() const { return flat != 0 || per_degree != 0; }
  [[nodiscard]] bool count_degrees() const { return per_degree != 0 || per_product != 0; }
  [[nodiscard]] ShiftTerms times(double strength) const {
    return {flat * strength, per_degree * strength, per_product * strength};
  }
};

/// `n` is the number of objects, or the sum of their weights, and `total` the sum of all X_ij. For
/// ShiftKind::matrix: no terms, the matrix is in S already. Throws InvalidArgument for
/// ShiftKind::degree unless the total is above 0.
ShiftTerms shift_terms(const ShiftOptions& shift, double n, double total);

/// "adaptive", "constant", ...: the vocabulary of options and results.
std::string shift_name(ShiftKind kind);

}  // namespace shiftcut

// How constraints enter a problem: objects of a node become one, evidence is added to S, and so is
// a penalty that nothing outweighs for each conflict, so that no search ever gains by violating
// one.
#pragma once

#include <memory>

#include "constraints/constraints.hpp"
#include "constraints/pairs.hpp"

namespace shiftcut {

/// More than the sum of |S| over a row, for a problem whose tolerance is 1e-12 of a bound on that.
inline double too_much(double tolerance) { return 4e12 * tolerance; }

/// The evidence, and `-too_much` for nodes in conflict.
SparseMatrix pair_matrix(const Constraints& constraints, double too_much);

/// The matrix of the nodes: sums over all pairs of objects of two nodes.
SparseMatrix contracted(const SparseMatrix& matrix, const Constraints& constraints);

/// The sum of two matrices of one size.
SparseMatrix sum_of(const SparseMatrix& a, const SparseMatrix& b);

/// The same with a penalty of `weight` in place of each conflict, which can be outweighed.
Constraints softened(const Constraints& constraints, double weight);

}  // namespace shiftcut

// What a problem knows of pairs. A pair that may not be together is also a term of S that nothing
// outweighs, so that every search keeps away from it; Conflicts is there to begin with.
#pragma once

#include <memory>

#include "constraints/constraints.hpp"
#include "constraints/pairs.hpp"

namespace shiftcut {

/// More than the sum of |S| over a row, for a problem whose tolerance is 1e-12 of a bound on that.
inline double too_much(double tolerance) { return 4e12 * tolerance; }

/// The evidence, and `-too_much` for pairs in conflict.
SparseMatrix pair_matrix(const Constraints& constraints, double too_much);

/// Sums over pairs of objects of one node each: rows and columns by groups.
SparseMatrix contracted(const SparseMatrix& matrix, const Constraints& constraints);

/// The sum of two matrices of one size.
SparseMatrix sum_of(const SparseMatrix& a, const SparseMatrix& b);

/// The same with nobody in conflict: instead S of such pairs is so much smaller.
Constraints softened(const Constraints& constraints, double weight);

}  // namespace shiftcut

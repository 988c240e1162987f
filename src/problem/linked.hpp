// What a problem knows of pairs. A pair that may not be together is also a term of S that nothing
// outweighs, so that every search keeps away from it; Apart is there to begin with.
#pragma once

#include <memory>

#include "links/links.hpp"
#include "links/pair_terms.hpp"

namespace shiftcut {

/// More than the sum of |S| over a row, for a problem whose tolerance is 1e-12 of a bound on that.
inline double too_much(double tolerance) { return 4e12 * tolerance; }

/// The evidence, and `-too_much` for pairs in conflict.
SparseMatrix pair_matrix(const Links& links, double too_much);

/// Sums over pairs of objects of one node each: rows and columns by groups.
SparseMatrix contracted(const SparseMatrix& matrix, const Links& links);

/// The sum of two matrices of one size.
SparseMatrix sum_of(const SparseMatrix& a, const SparseMatrix& b);

/// The same with nobody in conflict: instead S of such pairs is so much smaller.
Links softened(const Links& links, double weight);

}  // namespace shiftcut

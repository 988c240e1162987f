// The largest eigenvalue of similarities, from above.
#pragma once

#include <optional>

#include "methods/dominant_sets/dynamics.hpp"

namespace shiftcut::methods {

/// Not below the largest eigenvalue of A, and within about a thousandth of it where power iteration
/// gets there: for x > 0 it lies between x^T A x / x^T x and max_i (Ax)_i / x_i (Collatz and
/// Wielandt). At most 100 products; stops early once it is plain on which side of `level` it is,
/// where one is given.
double eigenvalue_bound(const SimilarityPart& part, std::optional<double> level,
                        const Workers& workers);

}  // namespace shiftcut::methods

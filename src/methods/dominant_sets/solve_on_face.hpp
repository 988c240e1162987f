// The end of a slow replicator run at once. Where f = x^T B x is strictly concave on the face of
// the simplex that a population lives on, f has one maximum there, and replicator dynamics from any
// point inside the face goes to it, for f grows along it (Baum and Eagon 1967) and it rests only
// where payoffs are equal. So that maximum may be solved for instead: an active set method, a
// Cholesky factor for each set it tries.
#pragma once

#include "methods/dominant_sets/dynamics.hpp"

namespace shiftcut::methods {

/// Moves `x` to the maximum of f on its face, exactly 0 for those who die out, and returns true.
/// False, with x as it was, where f is not strictly concave on the face, where too many are left
/// (O(s^3) for each set of s objects tried), or where the solution is not found soon. It is looked
/// for from those above `support` of the largest entry.
bool settle(const SimilarityPart& part, const Lift& lift, double support, std::vector<double>& x,
            const Workers& workers);

}  // namespace shiftcut::methods

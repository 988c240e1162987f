// Replicator dynamics: x_i <- x_i (Bx)_i / (x^T B x), along which f = x^T B x never falls (Baum and
// Eagon 1967; as a way to find dominant sets: Pavan and Pelillo 2007).
#pragma once

#include "methods/dominant_sets/dynamics.hpp"

namespace shiftcut::methods {

/// From `x` on, until a step moves x by less than the tolerance (2-norm; that last step is not
/// counted) or max_steps are made. B must have no negative entry. Stops at once where f is 0.
///
/// A step takes O(m^2), or O(edges), of the m objects that are left: one that is rarer than a
/// hundredth of the tolerance times the commonest, and whose payoff is below the mean, is taken out
/// for good, which only raises f.
/// Whether it would come back is for the caller to ask: `invade` in dominant_set.cpp does.
Population replicate(const SimilarityPart& part, const Lift& lift, std::vector<double> x,
                     const DynamicsLimits& limits, const Workers& workers);

}  // namespace shiftcut::methods

// Infection and immunization dynamics, InImDyn (Rota Bulo, Pelillo and Bomze 2011): in each step
// the object whose payoff differs most from the mean either spreads or dies back, by an exact line
// search, so f = x^T B x never falls and the support becomes exact in finite time. It is
// Frank-Wolfe with away steps.
#pragma once

#include "methods/dominant_sets/dynamics.hpp"

namespace shiftcut::methods {

/// From `x` on, until |min(x, -r)|_2 is below the tolerance (r the payoffs less their mean, over
/// the largest payoff at the start, so that the unit of the similarities does not matter) or
/// max_steps are made. A step takes O(m) and one row of the similarities; `lift.everywhere` does
/// not matter.
Population infect(const SimilarityPart& part, const Lift& lift, std::vector<double> x,
                  const DynamicsLimits& limits, const Workers& workers);

}  // namespace shiftcut::methods

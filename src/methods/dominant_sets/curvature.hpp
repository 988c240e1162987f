// Where a dynamics rests but f = x^T B x is no local maximum: from the barycentre it can only stay
// where objects are alike, as between two equal clusters that nothing joins.
#pragma once

#include "methods/dominant_sets/dynamics.hpp"

namespace shiftcut::methods {

/// Looks for a direction d on the support of `x` (sum 0) with d^T B d > 0, by power iteration, and
/// moves `x` along it, uphill, until an object is gone: f does not fall. False, with x as it was,
/// where none is found. A few products with the support's part of B.
bool leave_saddle(const SimilarityPart& part, const Lift& lift, std::vector<double>& x,
                  const Workers& workers);

}  // namespace shiftcut::methods

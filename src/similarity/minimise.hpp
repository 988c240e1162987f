// Minimum of a smooth function of many variables: L-BFGS (Liu and Nocedal 1989) with steps that are
// halved until they descend.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace shiftcut {

/// The value at x; writes the gradient.
using Objective = std::function<double(std::span<const double> x, std::span<double> gradient)>;

/// From `x` on, until the gradient is `tolerance` times what it was at the start, no step descends,
/// or `most` steps are made.
std::vector<double> minimise(const Objective& objective, std::vector<double> x, double tolerance,
                             int most);

}  // namespace shiftcut

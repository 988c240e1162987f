// Minimises a smooth function of many variables: L-BFGS (Liu and Nocedal 1989) with a backtracking
// line search.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace shiftcut {

/// Returns the value at x and writes the gradient.
using Objective = std::function<double(std::span<const double> x, std::span<double> gradient)>;

/// Starts at `x` and stops when the norm of the gradient has fallen to `tolerance` times its
/// initial value, no step descends, or after `most` steps.
std::vector<double> minimise(const Objective& objective, std::vector<double> x, double tolerance,
                             int most);

}  // namespace shiftcut

// Lowers F_p from a start at one p: Newton steps on the graph part of the second derivative,
// gradient steps where those fail, each by Armijo's rule, so that F falls with every step.
#pragma once

#include <functional>
#include <vector>

#include "methods/spectral/p_functional.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut::methods {

struct PDescent {
  PFunctional::Point point;
  std::vector<double> history;  // F at the start and after each step
  bool converged = false;       // stopped before max_steps
};

/// Called after each step; true: enough.
using WatchPoint = std::function<bool(const PFunctional::Point&)>;

/// Stops where the gradient is below 1e-6 of p F / |u|, where ten steps in a row changed F by less
/// than 1e-8 of it, where no step lowers it, when `watch` says so, or at max_steps. Throws
/// Interrupted.
PDescent p_descend(PFunctional& functional, double p, std::vector<double> u, int max_steps,
                   const WatchPoint& watch, const Control& control);

/// From 2 down to p, each 0.9 of the one before, the last one p itself; 2 is left out.
std::vector<double> powers_down_to(double p);

}  // namespace shiftcut::methods

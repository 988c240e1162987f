// Triangles that contradict themselves: exactly two of the three similarities are positive, so
// that no grouping agrees with all of them.
#pragma once

#include <array>

namespace shiftcut {

/// Similarities of ij, ik and jk.
using Sides = std::array<double, 3>;

bool is_bad(const Sides& sides);

/// Costs of the five groupings: together, ij | k, ik | j, jk | i, apart. A positive side that is
/// cut, or a negative one within a group, costs its absolute value.
std::array<double, 5> grouping_costs(const Sides& sides);

/// The mean of these costs, each weighed by exp(-beta cost).
double expected_cost(const Sides& sides, double beta = 1);

/// The side of the smallest absolute value; of equal ones the first.
std::size_t weakest_side(const Sides& sides);

}  // namespace shiftcut

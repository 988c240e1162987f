// Objects that are in no dominant set, given to one.
#pragma once

#include "methods/dominant_sets/dynamics.hpp"
#include "shiftcut/methods/dominant_sets.hpp"

namespace shiftcut::methods {

/// Labels of the objects of `rest`, in one pass: the set k with the largest sum_j w_kj A_oj over
/// its members, the first of equal ones. `assign`: w_kj = 1/|k|. `extend`: w_kj = x_j / f. No set
/// where all are zero. O(n) or O(edges) an object.
void give_out(const Similarities& similarities, const std::vector<DominantSet>& sets,
              std::span<const std::uint32_t> rest, Leftovers rule, Labels& labels,
              const Workers& workers);

}  // namespace shiftcut::methods

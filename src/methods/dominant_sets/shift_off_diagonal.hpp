// The shift that replicator dynamics bears: no more than the least similarity, so that none becomes
// negative.
#pragma once

#include <optional>
#include <string_view>

#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

/// `wanted`, or where that is none the least similarity of two different objects. Throws
/// std::invalid_argument, naming the method, for less than 0 or more than that. O(n^2) or O(edges).
double shift_off_diagonal(const Similarities& similarities, std::optional<double> wanted,
                          std::string_view method);

}  // namespace shiftcut::methods

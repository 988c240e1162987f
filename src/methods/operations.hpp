// What several methods do with similarities: check them, add up rows, multiply.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

/// Throws std::invalid_argument, naming the method, unless there are objects and the similarities
/// are square, of double, and finite.
void check_similarities(const Similarities& similarities, std::string_view method);

/// Throws std::invalid_argument, naming the method and the first such pair, if one is negative.
void check_not_negative(const Similarities& similarities, std::string_view method);

/// Row sums.
std::vector<double> degrees(const Similarities& similarities, ThreadTeam& team);

/// out = X in; both have n entries. The same for any number of threads.
void multiply(const Similarities& similarities, std::span<const double> in, std::span<double> out,
              ThreadTeam& team);

}  // namespace shiftcut::methods

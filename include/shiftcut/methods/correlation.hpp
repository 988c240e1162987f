// The cost of correlation clustering (Bansal, Blum, Chawla 2004): what is negative inside clusters
// and what is positive between them. Over ordered pairs, the diagonal included, and with X the
// similarities minus a threshold:
//   R_CC = 1/2 sum_intra (|X| - X) + 1/2 sum_inter (|X| + X)
// which is the min cut plus 1/2 sum (|X| - X), and the cost of the shifted min cut on X plus
// 1/2 sum (|X| + X): constants, so that all three have the same best groupings.
#pragma once

#include <cstdint>
#include <span>

#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

struct CorrelationCost {
  double cost = 0;           // R_CC
  double disagreements = 0;  // the same over unordered pairs of different objects
};

/// Pairs of a graph that share no edge count as 0 - threshold, without being visited. Throws
/// std::invalid_argument where there is not one label an object.
CorrelationCost correlation_cost(const Similarities& similarities,
                                 std::span<const std::int32_t> labels, double threshold = 0);

}  // namespace shiftcut::methods

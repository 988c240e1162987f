// Whether columns are standardised, and whether rows are compared by direction: chosen from the
// data.
//
// Standardising is right where columns have different units, and wrong where large columns are
// large because they say more (principal components, embeddings, pixels, counts). The data tell:
// under the right scaling, two halves of the columns agree more on which rows are near each other.
//
//   agreement = mean over splits, rows i and the k rows j nearest to i by one half of the columns
//               of 1 - (rank of j among all rows by the other half) / n       (chance: 1/2)
#pragma once

#include <string>

#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

struct ScaleChoice {
  Scale scale = Scale::standard;
  std::string reason;
};

/// Standard or none. `as_given` is scaling_of() the data under Scale::none. A constant factor on
/// all columns and, up to ties, the order of the rows do not change the choice. O(n d) to choose a
/// sample of the rows, then O(d) times the square of its size; the same for any number of threads.
ScaleChoice choose_scale(const DenseArray& data, const Scaling& as_given, ThreadTeam& team);

/// The share of zeros in rows without negative numbers in which every column has a zero and none
/// makes up most of the length of the rows, as in counts of words, pixels or one-hot columns; else
/// 0. Such rows are compared by their direction. O(n d), less where a number is negative.
double share_of_zeros(const DenseArray& data, ThreadTeam& team);

/// The same from what blocks of the rows add up to: per column the zeros, and the squares of
/// floor(x / largest number of all * kPartsOfLargest). Both are integers below 2^53, so that their
/// sums do not depend on the blocks.
double share_of_zeros(const std::vector<double>& zeros, const std::vector<double>& squares,
                      std::size_t rows);

}  // namespace shiftcut

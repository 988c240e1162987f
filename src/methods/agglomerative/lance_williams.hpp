// The distances of a merged cluster to all others, for the reducible linkages (Lance, Williams
// 1967), written over the row of one of the two.
#pragma once

#include <cstddef>

#include "shiftcut/methods/agglomerative.hpp"

namespace shiftcut::methods {

/// Two clusters at a distance, with their distances to `count` others. Infinity stays infinity.
struct MergingRows {
  double* kept;  // of the first; becomes that of both
  const double* other;
  double kept_size;
  double other_size;
  double distance;
  const double* sizes;  // of the others
  std::size_t count;
};

void merge_rows(Linkage linkage, const MergingRows& rows);

}  // namespace shiftcut::methods

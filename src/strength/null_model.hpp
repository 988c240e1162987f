// Whether a vote supports its clusters more than it would on data without any.
//
// On uniform and Gaussian noise the path has plateaus too, and the voters agree to some degree: the
// more, the fewer the objects and the lower the dimension. What they reach there was simulated, and
// is looked up by the number of objects and the intrinsic dimension of the data. Clusters count as
// found if the vote or the density where they meet (separation.hpp) is above its level.
#pragma once

#include <cstddef>

#include "neighbors/trees/spanning_tree.hpp"

namespace shiftcut {

/// The dimension in which neighbours' distances grow as they do here: the maximum-likelihood
/// estimate of Levina and Bickel (2004), its inverses averaged over the objects (MacKay, Ghahramani
/// 2005). 0 if it cannot be told.
double intrinsic_dimension(const NeighborDistances& distances);

/// In how many directions a sample of the rows is spread: the mean of (tr C)^2 / tr C^2 and of tr C
/// over the largest eigenvalue, with C their covariance. As many as there are columns if these are
/// independent and spread alike, and 1 if one of them is spread far more than the others: noise is
/// then divided along that one as if there were no others. 0 if it cannot be told.
double spread_dimension(const FeatureRows& rows);

/// How much data there is, and how much room it has.
struct NoiseSpace {
  double objects = 0;
  double dimension = 0;  // intrinsic, or the spread if that is less
  bool is_few = false;   // fewer than kFewObjects rows that do not repeat
};

/// The level below which a vote's score with K given is no evidence of clusters.
double noise_score(const NoiseSpace& space, std::size_t clusters);

/// The same for length * score^2 of the best plateau with K free.
double noise_plateau(const NoiseSpace& space);

/// The same for the density dip (separation.hpp); infinite for few objects, of which it says
/// nothing.
double noise_dip(const NoiseSpace& space);

/// The same for the ratio of the widest gap in a spanning tree of few objects.
double noise_gap(double dimension);

}  // namespace shiftcut

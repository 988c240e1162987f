// How much each feature should count, learned from pairs that somebody answered: logistic
// regression of "same" on the squared differences of the features,
//   log-odds(same) = b - sum_f w_f (y_if - y_jf)^2 / unit,   w_f >= 0,
// with a penalty lambda d sum_f (w_f - mean w)^2 on weights that differ. A change of the weights is
// a shift of every pair that depends on the pair, and S stays a product of rows.
//
// Few answers never move them far: lambda is chosen by cross-validation, and where no lambda beats
// equal weights by more than a standard error of the held-out log-likelihood, they stay equal. The
// fit is repeated on resampled answers (bootstrap) for how uncertain each weight is.
#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// All equal.
LearnedWeights without_gain(std::size_t features);

/// `rows` are scaled. A pair with a weight w counts tanh(w / 2): the certainty of those log-odds.
/// The same for any number of threads. O(pairs * features) a step of a hundred or so fits.
LearnedWeights learn_weights(const FeatureRows& rows, const LinkOptions& pairs, std::uint64_t seed,
                             ThreadTeam& team);

}  // namespace shiftcut

// Learns from answered pairs how much each feature should count: logistic regression of "same" on
// the squared differences of the features,
//   log-odds(same) = b - sum_f w_f (y_if - y_jf)^2 / unit,   w_f >= 0,
// with a penalty lambda d sum_f (w_f - mean w)^2 on weights that differ. A change of the weights is
// a shift of every pair that depends on the pair, and S stays a product of rows.
//
// A few answers cannot move the weights far: lambda is chosen by cross-validation, and unless some
// lambda beats equal weights by more than a standard error of the held-out log-likelihood, they
// stay equal. The fit is repeated on resampled answers (bootstrap) to estimate how uncertain each
// weight is.
#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// Equal weights.
LearnedWeights without_gain(std::size_t features);

/// `rows` are scaled. A pair of weight w counts tanh(w / 2), the certainty that these log-odds
/// express. The same for any number of threads. About a hundred fits, each step of which is O(pairs
/// * features).
LearnedWeights learn_weights(const FeatureRows& rows, const LinkOptions& pairs, std::uint64_t seed,
                             ThreadTeam& team);

}  // namespace shiftcut

// The numbers that strengths depend on.
#pragma once

#include <cstddef>

namespace shiftcut::strength_tuning {

/// logit of the probability = constant + margin m + mean M + product m M + log_clusters log K +
/// agreement A, with m the object's margin and M the mean margin, up to `largest_mean`.
struct Calibration {
  double constant = 0;
  double margin = 1;
  double mean = 0;
  double product = 0;
  double log_clusters = 0;
  double agreement = 0;
  double largest_mean = 10;
};

/// Fitted by logistic regression to 306 planted problems (Gaussian and t mixtures in 1 to 64
/// dimensions, stochastic block models, noisy matrices; every problem counts the same) and judged
/// on 573 others (docs/strength.md): under neighbors where a vote elected the clusters, with K
/// given and with K free, and where the strength of the shift was given.
inline constexpr Calibration kVotedNeighbors{0.07, 0.69, -0.64, 0, -0.40, 6.27};
inline constexpr Calibration kVotedNeighborsFree{0.68, 0.69, -0.64, 0, -0.40, 1.06};
inline constexpr Calibration kNeighbors{1.20, 0.14, -0.70, 0.29, -0.23, 0};
/// Given graphs.
inline constexpr Calibration kGraph{-1.74, 4.05, 2.11, -1.73, -0.30, 0, 2.3};
/// Matrices and similarities of all pairs of rows.
inline constexpr Calibration kPairs{1.74, 0.51, 0, 0, -1.45, 0};
/// Linear and cosine, whose margins are divided by the mean affinity.
inline constexpr Calibration kProducts{-0.04, 0.43, 0, 0, 0, 0};

/// Margins and logits are cut off here; a probability is never nearer than 1 in 1,000 to 0 or 1.
inline constexpr double kLargestMargin = 50;
inline constexpr double kLargestLogit = 6.9;
/// A larger margin never means less.
inline constexpr double kLeastSlope = 0.05;
/// Clusters other than its own that an object has probabilities of.
inline constexpr std::size_t kOthers = 3;

/// Interquartile range of distances, in logarithms, that is assumed at least: data on a grid have
/// none.
inline constexpr double kLeastSpread = 0.1;
/// Where distances are not known: an object with less than a twentieth of the affinity that members
/// of its cluster usually have is an outlier. As a logarithm, and where such ratios are cut off.
inline constexpr double kLeastAffinity = 3.0;
inline constexpr double kSmallestRatio = 1e-6;

}  // namespace shiftcut::strength_tuning

// The tuning constants of choosing distances, with their reasons. They were chosen on one half of
// 89 labelled tables and judged on the other; `bench/run.py --only S` prints both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace shiftcut::similarity_tuning {

// Whether columns are standardised.

/// Rows the choice is made on: the agreement of halves then varies by about 0.005 from sample to
/// sample. 200 to 400 rows decide alike on all but one or two of the 87 tables.
inline constexpr std::size_t kScaleSample = 300;
inline constexpr std::size_t kFewestRows = 20;
inline constexpr std::size_t kMostRankedRows = 100000;
inline constexpr std::uint64_t kScaleSeed = 15;

/// A deviation this small beside the mean is rounding.
inline constexpr double kConstantColumn = 1e-14;

/// Columns are dealt into this many blocks, half of which are compared with the other half in this
/// many ways.
inline constexpr std::size_t kColumnBlocks = 8;
inline constexpr std::size_t kColumnSplits = 4;
inline constexpr std::size_t kAgreeingNeighbors = 10;

/// Agreements that differ by less are the same.
inline constexpr double kSameAgreement = 0.005;

/// Where the logarithms of the deviations vary by more than kAlikeSpread (a factor of e), columns
/// are likely to have different units, and the agreement must be higher by kWideGain without
/// standardising. On the half the two were chosen on, 0.01 to 0.03 and 0.8 to 1.2 do as well.
inline constexpr double kAlikeSpread = 1.0;
inline constexpr double kWideGain = 0.02;

/// Halves of two columns say nothing about their scale. Coordinates differ by less, age and income
/// by more.
inline constexpr double kOneUnitFactor = 10;

/// Principal components: correlations in units of 1 / sqrt(rows), which is what chance gives to
/// independent columns; below kFewComponents columns the order alone is weak evidence, and the
/// correlations must vanish. From kManyComponents on, not every step has to fall (of the components
/// of other rows).
inline constexpr std::size_t kFewComponents = 5;
inline constexpr std::size_t kManyComponents = 8;
inline constexpr std::size_t kMostCorrelated = 100;
inline constexpr double kFallingSteps = 0.85;
inline constexpr double kExactCorrelation = 0.25;
inline constexpr double kSampledCorrelation = 2;

// Whether rows are compared by direction.

/// Of rows without negative numbers. Neighbours by the cosine gave an AMI at least as high as by
/// the Euclidean distance on all nine tables with this many zeros or more (text, MNIST .78 and .68,
/// counts, one-hot and binary columns; jaccard as high as the cosine on binary ones, manhattan
/// lower).
inline constexpr double kMostlyZeros = 2.0 / 3;

/// Rows of words: the cosine similarity itself is better than a graph of neighbours. On seven
/// corpora with K free, mean AMI .59 and .41; with K given and all K clusters found (four of them),
/// .80 and .68. Rows with fewer zeros are better off with neighbours (MNIST .40 and .78).
inline constexpr double kNearlyAllZeros = 0.9;

/// A column that holds more of the squares of all numbers has a unit of its own.
inline constexpr double kMostOfTheLength = 0.5;

/// Numbers are compared with the largest in this many steps. Squares of up to 2^29 rows then add up
/// exactly, in any order.
inline constexpr double kPartsOfLargest = 4096;

// Weights of features, learned from answers.

/// Penalties that are compared by cross-validation, the number of its folds, and the refits that
/// the spread of the weights comes from.
inline constexpr std::array kPenalties = {10.0, 3.0, 1.0, 0.3, 0.1, 0.03};
inline constexpr std::size_t kFolds = 5;
inline constexpr std::size_t kRefits = 10;
/// Answers of each kind; with fewer, all weights stay equal.
inline constexpr std::size_t kFewest = 4;
/// The penalty on the level's square, which only keeps it finite.
inline constexpr double kForLevel = 1e-3;
/// Where the descent ends: the gradient, the steps, and the least weight from which it can recover.
inline constexpr double kTolerance = 1e-4;
inline constexpr int kMostSteps = 100;
inline constexpr double kNotStuck = 1e-2;

// How work is divided. None of these changes a result.

inline constexpr std::size_t kRowsPerScaleTask = 1024;
inline constexpr std::size_t kRowsPerAgreementTask = 8;

}  // namespace shiftcut::similarity_tuning

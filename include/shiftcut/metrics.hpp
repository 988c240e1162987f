// How well two groupings of the same objects agree.
#pragma once

#include <cstdint>
#include <span>

namespace shiftcut {

struct Scores {
  double ami = 0;      // adjusted mutual information over the arithmetic mean of the entropies
  double ami_max = 0;  // the same over the larger entropy, as in the paper's tables
  double ari = 0;      // adjusted Rand index
  double v_measure = 0;
  double homogeneity = 0;
  double completeness = 0;
};

/// Scores `labels` against `truth`; agrees with scikit-learn to 1e-12. Labels are any integers.
/// Throws std::invalid_argument if the lengths differ. O(n + R C n) for R x C classes.
Scores score(std::span<const std::int32_t> truth, std::span<const std::int32_t> labels);

}  // namespace shiftcut

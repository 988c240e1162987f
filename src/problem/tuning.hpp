// The tuning constants of this room, each with the measurement behind it.
#pragma once

namespace shiftcut::problem_tuning {

// ---- linkage_shift.cpp ----

// 871 linkage problems (docs/linkage.md): mean gain in pairwise F1 over connected components, and
// the lowest, on the choosing half | on the judging half; log-odds alone +.008, -.103 | +.012,
// -.331:
//   prior .35: +.010, -.036 | +.025, -.072; .5: +.010, -.025 | +.024, -.036;
//   .65: +.009, -.016 | +.023, -.029, and most often no worse than components
//   absent .25: +.009, -.015 | +.021, -.027; 1: +.010, -.018 | +.025, -.031, worse in FEBRL 2
inline constexpr double kPathPrior = 2.0 / 3;    // that the ends of a certain path match
inline constexpr double kAbsentLogOdds = -0.5;   // of a pair without a probability
inline constexpr double kLeastBaseRate = 1e-12;  // as of probabilities

}  // namespace shiftcut::problem_tuning

// The numbers that tune the search for dominant sets, and why they are what they are. None of them
// changes what a dominant set is; the thresholds decide what counts as rounding.
#pragma once

#include <cstddef>

namespace shiftcut::methods {

// Replicator. An entry below this share of the tolerance times the largest entry, with a payoff
// below the mean, is removed: it is then well below what the tolerance can see.
inline constexpr double kExtinctShare = 1e-2;

// Infection. Drift is removed by recomputing all payoffs after this many steps, or after as many as
// there are objects, if more: it then never costs more than the steps themselves.
inline constexpr std::size_t kRecomputeAfter = 1000;

// A saddle is left along a direction whose curvature is above this share of the largest possible
// eigenvalue; below it, the curvature may be rounding. Power iteration needs a few products to see
// a saddle between equal clusters, where the gap is wide.
inline constexpr double kLeastCurvature = 1e-6;
inline constexpr int kSaddleProducts = 32;

// An excluded object is let in if its payoff is above the mean by this share of the payoffs. Less
// would let in objects that the replicator then removes again, step by step.
inline constexpr double kBetterPayoff = 1e-6;
inline constexpr double kRounding = 1e-12;  // relative error that f may have

// Solving for the end point: 1.3 times as fast over six kinds of data it was not built for, and
// without it up to 18% of the sets do not converge in thirty times the steps. Tried after this many
// replicator steps, and twice as many each time after that: a run that converges sooner never pays
// for it. A face of s objects costs O(s^3) per set tried.
inline constexpr std::size_t kStepsBeforeSolving = 512;
inline constexpr std::size_t kLargestFace = 256;
inline constexpr std::size_t kMaxActiveSets = 64;
inline constexpr double kLeastPivot = 1e-9;  // relative; below it f is not strictly concave
inline constexpr double kPayoffRounding = 1e-12;

// Warm start: 2.6 times as fast over the same data at 1,500 to 3,000 objects. Below this many
// objects exact steps are as fast.
inline constexpr std::size_t kWarmStartObjects = 500;
inline constexpr double kRoughExtinctShare = 1e-6;  // of the largest entry: float precision
inline constexpr double kAlikePayoffs = 1e-3;       // relative spread that floats still resolve
inline constexpr double kNearlyAtRest = 1e-3;       // relative length of a step
inline constexpr double kVanishedPayoff = 1e-25;    // mean payoff, of the largest similarity

// Hierarchy. Alpha is only compared with the bound, so a thousandth is enough.
inline constexpr int kEigenvalueProducts = 100;
inline constexpr double kEigenvalueAccuracy = 1e-3;

// Trajectories. Smaller gaps, relative to the largest entry, are rounding.
inline constexpr double kLeastGap = 1e-9;

// Products with a part of the similarities. A product touches kWorthSharing numbers in about the
// time it takes to wake the threads. Where at most one entry in kSparseShare of x is not zero,
// adding up those rows reads less memory than a product with all rows.
inline constexpr std::size_t kRowsPerTask = 64;
inline constexpr std::size_t kColumnsPerTask = 512;
inline constexpr std::size_t kWorthSharing = 1U << 17;
inline constexpr std::size_t kSparseShare = 8;

}  // namespace shiftcut::methods

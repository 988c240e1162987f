// The numbers that tune the spectral methods, and why they are what they are.
#pragma once

#include <cstddef>

namespace shiftcut::methods {

// Eigenvectors. A dense solver takes a few milliseconds for this many objects, and never fails to
// converge. The basis is large, because second eigenvalues of well separated clusters are close to
// 0 and to each other; the accuracy is what sorting objects along the vector needs, with room to
// spare.
inline constexpr std::size_t kDirectSolve = 64;
inline constexpr int kLanczosVectors = 40;
inline constexpr int kLanczosRestarts = 300;
inline constexpr double kEigenvectorAccuracy = 1e-10;

// p-Laplacian. |u_i - u_j|^(p-2) has no bound at 0; smaller differences, relative to the largest
// entry, count as this.
inline constexpr double kLeastDifference = 1e-6;
inline constexpr double kRidge = 1e-10;  // relative to the mean diagonal: L_u is singular
inline constexpr double kArmijo = 1e-4;  // the customary share of the predicted decrease

// A descent ends at a small gradient, or after kStillSteps steps in a row that change F by less
// than kChange. A Newton step is halved, a gradient step divided by ten, until F falls or rounding
// is reached.
inline constexpr double kGradient = 1e-6;
inline constexpr double kChange = 1e-8;
inline constexpr int kStillSteps = 10;
inline constexpr int kHalvings = 12;
inline constexpr int kTenths = 12;

// A descent also ends once the best threshold has given the same sides for this many steps: at the
// final p, and, divided by p^2, at the powers before, whose vector is only a start.
inline constexpr int kPatienceAtTheEnd = 15;
inline constexpr double kPatienceOnTheWay = 12;

// Size regularised cut. Where alpha |v|^2 is this many times the bound of L, the eigenvector no
// longer changes, and a larger alpha would only cost digits.
inline constexpr double kLargestAlpha = 1e5;

}  // namespace shiftcut::methods

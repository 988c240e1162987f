// The tuning constants of this room. Labels depend on all of them.
#pragma once

#include <cstddef>

namespace shiftcut::relaxed_tuning {

// Annealing. tau falls by 5% per sweep, over 200 sweeps to 0.95^200 = 1/28,500 of its start, where
// hardly anything moves; a sweep without moves ends it earlier.
inline constexpr int kSweeps = 200;
inline constexpr double kCooling = 0.95;
/// The first temperature is the median |change of cost| of this many random moves.
inline constexpr int kProposals = 1000;
/// On a graph with up to this many given clusters all are candidates; with more, or with K free,
/// only those of neighbours, one drawn at random and an empty one: O(degree) instead of O(K).
inline constexpr std::size_t kAllTriedAtMost = 64;
/// With K free a hot sweep would open a cluster for nearly every object; where all clusters are
/// candidates, which costs O(K), no more than this many are opened.
inline constexpr std::size_t kOpenAtMost = 64;
/// Weights below exp(-50) are lost beside 1 in double precision.
inline constexpr double kNegligibleExponent = -50;

// Frank-Wolfe.
inline constexpr float kStartWeight = 0.0625F;  // of the random vertex: small, and exact in binary
/// With K free the relaxation has sqrt(n) clusters, at most this many: a step costs O(K), and the
/// descent that follows may open more.
inline constexpr std::size_t kMaxFreeClusters = 64;

}  // namespace shiftcut::relaxed_tuning

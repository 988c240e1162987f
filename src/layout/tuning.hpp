// The tuning constants of the map, with their reasons. The pictures were judged by scikit-learn's
// trustworthiness and by eye: experiments/layout.py.
#pragma once

#include <array>
#include <cstddef>

namespace shiftcut::layout_tuning {

// Principal components.

/// Directions of the subspace iteration for two components: the error falls by the ratio of the
/// ninth to the second eigenvalue with each iteration. It ends when the two change by less than
/// this part of the first.
inline constexpr std::size_t kDirections = 8;
inline constexpr int kMostIterations = 60;
inline constexpr double kConverged = 1e-12;

// The graph.

/// Edges kept of each node of a given graph, as many as UMAP's neighbours. The time grows with
/// them.
inline constexpr std::size_t kMostEdges = 15;

// The start.

/// Each round, a Chebyshev polynomial of this degree keeps eigenvalues below a bound down: low
/// bounds for graphs that hang together well, high ones for long ones. A ring of 500 objects with
/// 10 neighbours each starts as a ring. (From principal components, a roll starts with its layers
/// on top of each other and is torn: its trustworthiness is about the same, 0.998, but the picture
/// is not.)
inline constexpr std::array<double, 6> kDamped{0.6, 0.9, 0.97, 0.99, 0.995, 0.998};
inline constexpr int kDegree = 30;

/// Sums of squares below it are rounding, in vectors of length 1.
inline constexpr double kVanished = 1e-20;

/// Distance of the components, in sums of their radii.
inline constexpr double kSpacing = 1.2;

/// The places start within this distance of the origin along either axis, moved at random by up to
/// half of kNoise, so that no two are the same.
inline constexpr double kStartRadius = 10;
inline constexpr double kNoise = 1e-4;

// The descent.

/// UMAP's numbers of epochs. The time grows with them. 200 lower the trustworthiness of the digits
/// by 0.003.
inline constexpr int kEpochsOfFew = 500;
inline constexpr int kEpochsOfMany = 200;
inline constexpr std::size_t kFew = 10'000;

/// The first step; it falls to 0. UMAP's 1 tears rings and sheets: a ring of 500 objects came out
/// in 10 pieces, with 0.5 in 2 or 3, with 0.25 whole.
inline constexpr double kStep = 0.25;

/// Random objects that push for each edge that pulls. UMAP's are 5, but there an edge moves both of
/// its ends.
inline constexpr double kPushes = 2.5;

/// The most that an object is moved along an axis at once, before the step; and what keeps objects
/// at the same place from being pushed without bound. Both are UMAP's.
inline constexpr double kMostChange = 4;
inline constexpr double kNear = 0.001;

// How work is divided. Changes no result.

inline constexpr std::size_t kPlacesPerTask = 256;

}  // namespace shiftcut::layout_tuning

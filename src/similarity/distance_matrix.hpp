// The n x n matrices of similarities that cannot be written as products of rows.
#pragma once

#include <optional>

#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// Plain Euclidean distances between all rows. O(n^2 d) time, 8 n^2 bytes. Throws
/// std::runtime_error if that does not fit into memory, Interrupted on a request to stop.
DenseArray euclidean_distances(const FeatureRows& rows, ThreadTeam& team, const Control& control);

/// exp(-d_ij^2 / sigma^2), with 1 on the diagonal. Without a sigma exp(-d_ij^2 / (sigma_i
/// sigma_j)), where sigma_i is the 7th smallest nonzero distance of row i (Zelnik-Manor, Perona
/// 2004).
DenseArray rbf_similarities(const FeatureRows& rows, std::optional<double> sigma, ThreadTeam& team,
                            const Control& control);

/// The largest squared distance between two rows. Exact: a pair is skipped only if the two
/// distances from the centre cannot add up to more than the largest so far. O(n^2 d) in the worst
/// case.
double largest_squared_distance(const FeatureRows& rows, ThreadTeam& team, const Control& control);

}  // namespace shiftcut

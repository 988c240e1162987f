// n x n matrices from features, for the similarities that have no shorter form.
#pragma once

#include <optional>

#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// Plain Euclidean distances between all rows. O(n^2 d) time, 8 n^2 bytes. Throws
/// std::runtime_error if that does not fit into memory, Interrupted if told to stop.
DenseArray euclidean_distances(const FeatureRows& rows, ThreadTeam& team, const Control& control);

/// exp(-d_ij^2 / sigma^2); without a sigma exp(-d_ij^2 / (sigma_i sigma_j)) with sigma_i the
/// distance to the 7th nearest other row that is not zero (Zelnik-Manor, Perona 2004). 1 on the
/// diagonal.
DenseArray rbf_similarities(const FeatureRows& rows, std::optional<double> sigma, ThreadTeam& team,
                            const Control& control);

/// The largest squared distance between two rows. Exact: pairs are left out only where their
/// distances from the centre can't add up to more than the best so far. O(n^2 d) at worst.
double largest_squared_distance(const FeatureRows& rows, ThreadTeam& team, const Control& control);

}  // namespace shiftcut

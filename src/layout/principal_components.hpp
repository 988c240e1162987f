// The two directions in which rows vary most, by subspace iteration (Halko, Martinsson, Tropp
// 2011): a few passes over the rows, and never a matrix of columns by columns.
#pragma once

#include <span>

#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/features.hpp"
#include "shiftcut/layout.hpp"

namespace shiftcut {

/// Coordinates of each row, scaled and centred, along the two principal components; the sign of a
/// component is that which makes its largest part positive. A row counts in them as often as
/// `weights` says, once if that is empty. With one column, y is 0.
Layout principal_components(const DenseArray& rows, const FeatureScaling& scaling,
                            std::span<const double> weights, ThreadTeam& team);
/// Of sparse rows, unscaled. They are centred, but never filled.
Layout principal_components(const SparseMatrix& rows, std::span<const double> weights,
                            ThreadTeam& team);

}  // namespace shiftcut

// What is needed from the training rows to assign new ones: how features were scaled (part of a
// Result), and the sum of each cluster's rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shiftcut/data.hpp"

namespace shiftcut {

/// y_j = (x_j - offset_j) * factor_j; the factor is 0 for a column that is left out.
struct FeatureScaling {
  std::vector<double> offset;
  std::vector<double> factor;
};

/// The sum of each cluster's unscaled rows, clusters x columns. `labels` has one label below
/// `clusters` per row; otherwise throws std::invalid_argument. The same sums for any number of
/// threads.
std::vector<double> cluster_sums(const DenseArray& rows, std::span<const std::int32_t> labels,
                                 std::size_t clusters, int threads = 0);

}  // namespace shiftcut

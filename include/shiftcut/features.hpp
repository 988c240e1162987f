// What a caller needs of the training rows to judge new ones: how features were scaled (a Result
// tells), and the sums of each cluster's rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shiftcut/data.hpp"

namespace shiftcut {

/// y_j = (x_j - offset_j) * factor_j; the factor of a column that is left out is 0.
struct FeatureScaling {
  std::vector<double> offset;
  std::vector<double> factor;
};

/// The sum of each cluster's rows, clusters x columns, as the data has them. `labels` are below
/// `clusters`, one a row; else std::invalid_argument. The same sums for any number of threads.
std::vector<double> cluster_sums(const DenseArray& rows, std::span<const std::int32_t> labels,
                                 std::size_t clusters, int threads = 0);

}  // namespace shiftcut

// Labels in the form users see: 0 is the largest cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"

namespace shiftcut {

struct Partition {
  std::vector<std::int32_t> labels;
  std::vector<std::size_t> sizes;  // decreasing, none zero
};

/// Numbers the non-empty clusters by decreasing size; of equal ones, the one whose first object
/// comes first. Two label vectors with the same grouping give the same Partition.
Partition by_decreasing_size(std::span<const ClusterId> labels);

}  // namespace shiftcut

// Labels that a user hands in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/partition.hpp"

namespace shiftcut::methods {

/// Throws std::invalid_argument unless there is one label an object, each in 0 .. n-1.
std::vector<ClusterId> cluster_ids(std::span<const std::int32_t> labels, std::size_t n);

}  // namespace shiftcut::methods

// The names of things: objects and clusters are 32-bit numbers.
#pragma once

#include <cstdint>
#include <limits>

namespace shiftcut {

using ObjectId = std::uint32_t;
using ClusterId = std::uint32_t;

inline constexpr ClusterId kNoCluster = std::numeric_limits<ClusterId>::max();

}  // namespace shiftcut

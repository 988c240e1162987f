// The nearest neighbours that a run made its graph of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace shiftcut {

/// Fills the places behind the last neighbour of an object that has fewer than the others.
inline constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

/// The nearest others of each object, nearest first.
struct NeighborTable {
  std::size_t objects = 0;
  std::size_t places = 0;          // per object
  std::vector<std::uint32_t> ids;  // objects * places
  /// Squared distances of the scaled rows, of sparse rows 2 (1 - cosine); only for edge weights
  /// that depend on them, else empty.
  std::vector<double> squared;
};

}  // namespace shiftcut

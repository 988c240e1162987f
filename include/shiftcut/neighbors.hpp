// The nearest neighbours that a run made its graph of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Neighbours that were searched for before a run, which then takes them from here.
struct KnownNeighbors {
  /// Called when they are needed: those of all rows, with all distances.
  std::function<NeighborTable()> load;
  /// How columns were scaled, y = (x - offset) * factor; empty: run() computes it from the rows.
  std::vector<double> offset;
  std::vector<double> factor;
  /// Tells rows in a file from others, for a checkpoint.
  std::uint64_t fingerprint = 0;
};

}  // namespace shiftcut

// The nearest neighbours of every object, for those who continue the graph to new objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// Stands in the places that a row does not fill.
inline constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

/// Of each object the nearest others, nearest first.
struct NeighborTable {
  std::size_t objects = 0;
  std::size_t places = 0;          // of a row
  std::vector<std::uint32_t> ids;  // objects * places
  std::vector<double> squared;     // distances of the scaled rows; of sparse rows 2 (1 - cosine)
};

/// The neighbours that run() makes its graph of under Similarity::neighbors. `threads` as in
/// SearchOptions. Throws std::invalid_argument where `input` does not hold features, Interrupted if
/// told to stop.
NeighborTable neighbor_table(const Input& input, const SimilarityOptions& how, int threads = 0,
                             const Control& control = {});

}  // namespace shiftcut

// The nearest neighbours of rows in a temporary file, searched region by region as in memory
// (neighbors/regions/regions.hpp), with one region in memory at a time.
#pragma once

#include <cstddef>
#include <functional>

#include "blocks/file/node_rows.hpp"
#include "core/spill_file.hpp"
#include "shiftcut/blocks.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut {

/// Lists in a temporary file: ids of all nodes, and squared distances of all nodes.
struct ListFile {
  std::size_t nodes = 0;
  std::size_t neighbors = 0;
  SpillFile ids;
  SpillFile squared;

  [[nodiscard]] NeighborTable load() const;
};

struct RegionSearch {
  RowGeometry geometry;
  std::size_t regions = 1;
  std::size_t neighbors = 10;
  std::size_t limit = 0;  // of memory
  int threads = 0;
  /// Called with the rows of the largest region before any is searched, and may throw.
  std::function<void(std::size_t rows)> check;
};

/// What each region shows is kept in the checkpoint of `control`, if there is one.
ListFile search_regions(const NodeRows& nodes, const RegionSearch& search, const Control& control);

}  // namespace shiftcut

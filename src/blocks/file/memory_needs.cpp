#include "blocks/file/memory_needs.hpp"

#include <algorithm>

#include "blocks/file/node_rows.hpp"
#include "shiftcut/blocks.hpp"

namespace shiftcut {

namespace {

// Measured on groups and on noise, and rounded up.
constexpr double kProcess = 8e6;        // that a process grows by whatever it does
constexpr double kThread = 4e6;         // per thread
constexpr double kRegionNeighbor = 30;  // per row and neighbour, while a region is searched
constexpr double kRegionRow = 70;       // per row
constexpr double kGraphNeighbor = 140;  // per row and neighbour, while the graph is clustered
constexpr double kGraphRow = 100;
constexpr double kPathRow = 800;  // for the path over strengths, which contracts large graphs
constexpr double kPath = 8e7;     // to about as many bytes

}  // namespace

double MemoryNeeds::most() const { return std::max({blocks, region, graph}); }

MemoryNeeds memory_needs(const FileSize& size, std::size_t limit, std::size_t process) {
  const auto rows = static_cast<double>(size.rows);
  const auto columns = static_cast<double>(size.columns);
  const auto row_bytes = static_cast<double>(size.row_bytes);
  const auto neighbors = static_cast<double>(size.neighbors);
  const auto threads = static_cast<double>(size.threads);
  const double always = static_cast<double>(process) + kProcess + threads * kThread;
  const auto together = static_cast<double>(rows_together(limit, size.row_bytes));
  const double ranked =
      size.ranks_rows ? static_cast<double>(scale_sample(size.rows)) * (row_bytes + 16) : 0;
  const double placed =
      size.regions > 1
          ? static_cast<double>(region_sample_size(size.rows, size.regions)) * (4 * columns + 16)
          : 0;
  const double part = rows / static_cast<double>(moment_parts(size.rows)) * row_bytes;
  MemoryNeeds needs;
  needs.blocks = always + std::max({ranked, placed, part, together * (4 * row_bytes + 64)});
  needs.region =
      always + static_cast<double>(size.region_rows) * (row_bytes + 5 * columns + kRegionRow +
                                                        kRegionNeighbor * neighbors + 4 * threads);
  needs.graph =
      always + rows * (kGraphRow + kGraphNeighbor * neighbors) + std::min(kPath, rows * kPathRow);
  return needs;
}

}  // namespace shiftcut

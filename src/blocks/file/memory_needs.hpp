// How much memory a run from a file takes at most, so that it is refused before the work where that
// is more than allowed.
#pragma once

#include <cstddef>

namespace shiftcut {

/// What the amount of memory follows from.
struct FileSize {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t row_bytes = 0;
  std::size_t region_rows = 0;  // of the largest region
  std::size_t regions = 1;
  std::size_t neighbors = 10;
  bool ranks_rows = true;  // whether the scale is chosen
  int threads = 1;
};

/// Bytes of all the process holds in each step.
struct MemoryNeeds {
  double blocks = 0;  // rows on their way between files, and samples of them
  double region = 0;  // the search of the largest region
  double graph = 0;   // the graph of all neighbours, and the search for clusters on it
  [[nodiscard]] double most() const;
};

/// `limit` says how many rows are read at a time, `process` what is resident already.
MemoryNeeds memory_needs(const FileSize& size, std::size_t limit, std::size_t process);

}  // namespace shiftcut

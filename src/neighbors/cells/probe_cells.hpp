// The nearest rows of every row among those of the cells whose centres are nearest to it (Jegou,
// Douze, Schmid 2011), a cell's rows together, so that it is products of matrices.
#pragma once

#include "core/thread_team.hpp"
#include "core/work_meter.hpp"
#include "neighbors/cells/cells.hpp"
#include "neighbors/cells/rough_lists.hpp"

namespace shiftcut {

/// The centres as seen from one cell: which are nearer to its rows. Only of cells that can be among
/// the `probes` nearest of any row of the cell; as the rows lie around its centre, the others are
/// too far from that.
class CentresAround {
 public:
  /// O(cells d).
  CentresAround(std::size_t cell, const Cells& cells, std::size_t probes);

  [[nodiscard]] std::size_t probes() const { return probes_; }
  /// The cells, by the distance of their centres from this one's.
  [[nodiscard]] const std::vector<std::size_t>& cells() const { return cells_; }
  /// Numbers a row.
  [[nodiscard]] std::size_t width() const { return steps_.width(); }
  /// Of rows of the cell: out[r * width() + c] = |x - centre of cells()[c]|^2 - |x|^2.
  void scores(std::span<const float* const> rows, float* out) const;

 private:
  std::size_t probes_;
  std::vector<std::size_t> cells_;
  std::vector<float> squared_;
  PackedColumns<float> steps_;
};

/// Every row looks at all rows of the `probes` cells nearest to it, or of more until they hold
/// enough. O(n (cells + probes n / cells) d). Counts `part` a row towards `progress`.
RoughLists probe_cells(const Cells& cells, std::size_t probes, std::size_t most, ThreadTeam& team,
                       WorkMeter& meter, std::size_t part);

}  // namespace shiftcut

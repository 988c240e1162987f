// The k nearest neighbours of sparse rows by the angle between them, or by the columns they share.
#pragma once

#include <memory>

#include "core/thread_team.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// Exact. The squared distance is that of the rows scaled to unit length, 2 (1 - cosine), or under
/// Metric::jaccard the square of 1 - (columns in both) / (columns in either). Only rows with a
/// positive cosine, or with a column in common, are neighbours, so a list may be shorter than k; a
/// zero row has no neighbours and is nobody's neighbour. Time: the sum over columns of the square
/// of their entries. Throws Interrupted on a request to stop.
NeighborLists cosine_neighbors(const SparseMatrix& rows, std::size_t k, ThreadTeam& team,
                               const Control& control, Metric metric = Metric::cosine);

/// Sparse rows by columns, for many questions of which of them are nearest to new rows.
class CosineIndex {
 public:
  CosineIndex(const SparseMatrix& rows, ThreadTeam& team, Metric metric = Metric::cosine);
  ~CosineIndex();
  CosineIndex(CosineIndex&&) noexcept;
  CosineIndex& operator=(CosineIndex&&) noexcept;
  CosineIndex(const CosineIndex&) = delete;
  CosineIndex& operator=(const CosineIndex&) = delete;

  /// Of every row of `queries`, which has as many columns, the k nearest, as cosine_neighbors()
  /// measures; of equally near ones the lowest number first.
  [[nodiscard]] NeighborLists nearest(const SparseMatrix& queries, std::size_t k, ThreadTeam& team,
                                      const Control& control) const;

 private:
  struct Columns;
  std::unique_ptr<Columns> columns_;
};

}  // namespace shiftcut

// The nearest rows of every row, or of new rows, by comparing all pairs.
#pragma once

#include "core/thread_team.hpp"
#include "neighbors/list_writer.hpp"
#include "neighbors/packed_rows.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut {

/// Writes the lists of all members of all groups, exactly as a plain loop over all pairs would.
/// O(n^2 d).
void exact_search(const FeatureRows& rows, const RowGroups& groups, std::size_t k,
                  const ListWriter& writer, ThreadTeam& team, const Control& control);

/// Rows packed once, for many questions of which of them are nearest to new rows.
class NeighborIndex {
 public:
  /// 4 n d bytes.
  NeighborIndex(FeatureRows rows, ThreadTeam& team);
  ~NeighborIndex() = default;
  NeighborIndex(const NeighborIndex&) = delete;
  NeighborIndex& operator=(const NeighborIndex&) = delete;
  NeighborIndex(NeighborIndex&&) = delete;
  NeighborIndex& operator=(NeighborIndex&&) = delete;

  /// Of every row of `queries` the k nearest, at most as many as there are, nearest first and of
  /// equally near ones the lowest number. Rows equal to a query count as any other. O(n d) each.
  [[nodiscard]] NeighborLists nearest(const FeatureRows& queries, std::size_t k, ThreadTeam& team,
                                      const Control& control) const;

 private:
  void search(const FeatureRows& queries, std::size_t first, std::size_t count,
              const ThreadTeam& team, NeighborLists& lists) const;

  FeatureRows rows_;
  RowGroups groups_;  // every row by itself
  ScaledRows scaled_;
  PackedRows packed_;
};

}  // namespace shiftcut

// Reliable agglomerative clustering works in rounds on one table of distances: every round merges
// all pairs of clusters that are each other's nearest neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/memory.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/methods/agglomerative.hpp"

namespace shiftcut::methods {

/// A square working copy of the distances between clusters. A cluster has the slot of its lowest
/// object; an empty slot is infinitely far from all, and once half of them are empty the table
/// shrinks. With a reducible linkage a merge changes the nearest neighbour of another cluster only
/// if that was one of the two: only those search their row again.
class DistanceTable {
 public:
  DistanceTable(const DenseArray& distances, const AgglomerativeOptions& options, ThreadTeam& team);

  /// Merges all mutual nearest pairs; writes the merges, the lowest first.
  void merge_round(std::vector<Merge>& out, const Control& control);

  [[nodiscard]] std::size_t clusters() const { return active_.size(); }

 private:
  using Slot = std::uint32_t;

  double* row(Slot slot) { return table_.data() + slot * width_; }
  void copy(const DenseArray& distances);
  void find_nearest(Slot slot);
  void find_nearest_of(const std::vector<Slot>& slots);
  void merge(Slot kept, Slot gone, double distance);
  void shrink();

  AgglomerativeOptions options_;
  ThreadTeam& team_;
  UninitializedArray<double> table_;
  std::size_t width_;
  std::vector<Slot> active_;           // ascending
  std::vector<std::uint32_t> object_;  // the lowest object of each slot
  std::vector<double> sizes_;
  std::vector<Slot> nearest_;
  std::vector<double> distance_;         // to the nearest
  std::vector<unsigned char> is_stale_;  // its nearest must be searched for
};

}  // namespace shiftcut::methods

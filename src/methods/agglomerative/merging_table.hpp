// The distances of clusters that merge, and the nearest neighbour of each.
#pragma once

#include <cstdint>
#include <vector>

#include "core/memory.hpp"
#include "core/thread_team.hpp"
#include "methods/agglomerative/near_list.hpp"
#include "shiftcut/methods/agglomerative.hpp"

namespace shiftcut::methods {

/// One square working copy. A cluster has the slot of its lowest object; a slot that has gone is
/// infinitely far from all, and once half of them have gone the table is made smaller. With a
/// reducible linkage a merge leaves the nearest neighbours of others as they are, unless they were
/// among the two: only those are sought again, in a short list first.
class MergingTable {
 public:
  MergingTable(const DenseArray& distances, const AgglomerativeOptions& options, ThreadTeam& team);

  /// Merges all mutual nearest pairs; writes what was merged, the lowest first.
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
  std::vector<unsigned char> is_stale_;  // its nearest is to be found again
  std::vector<NearList> near_;
};

}  // namespace shiftcut::methods

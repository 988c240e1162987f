// Turns the nearest groups of equal rows into the lists of their members.
#pragma once

#include <algorithm>
#include <vector>

#include "neighbors/neighbor_lists.hpp"
#include "similarity/row_groups.hpp"

namespace shiftcut {

/// A group of equal rows, and its squared distance from another.
struct NearGroup {
  double squared = 0;
  ObjectId group = 0;
};

/// How many of k neighbours may be equal rows. If all of them could be, rows that occur more than k
/// times would have no other neighbours, and the graph would fall apart into groups of equal rows.
inline std::size_t most_copies(std::size_t k) { return std::max<std::size_t>(1, k - (k + 1) / 3); }

class ListWriter {
 public:
  ListWriter(const FeatureRows& rows, const RowGroups& groups, NeighborLists& lists)
      : rows_(rows), groups_(groups), lists_(lists) {}

  /// Squared distances of `group` from `others`, from differences in double precision.
  void measure(std::size_t group, std::vector<NearGroup>& others) const;

  /// Writes the lists of the members of `group` from `others`, which are measured and in any order:
  /// the nearest objects, but at most most_copies() with equal rows unless there are no others.
  /// Writes to no other lists.
  void write(std::size_t group, std::vector<NearGroup>& others) const;

 private:
  const FeatureRows& rows_;
  const RowGroups& groups_;
  NeighborLists& lists_;
};

}  // namespace shiftcut

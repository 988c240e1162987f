// From the nearest groups of equal rows to the lists of their members.
#pragma once

#include <algorithm>
#include <vector>

#include "neighbors/neighbor_lists.hpp"
#include "neighbors/row_groups.hpp"

namespace shiftcut {

/// A group of equal rows, and its squared distance from another.
struct NearGroup {
  double squared = 0;
  ObjectId group = 0;
};

/// Of k neighbours, how many may be equal rows: with more, a row that is there k times would know
/// of nothing else, and the graph would fall into heaps of equal rows.
inline std::size_t most_copies(std::size_t k) { return std::max<std::size_t>(1, k - (k + 1) / 3); }

class ListWriter {
 public:
  ListWriter(const FeatureRows& rows, const RowGroups& groups, NeighborLists& lists)
      : rows_(rows), groups_(groups), lists_(lists) {}

  /// Squared distances of `group` from `others`, from differences in double precision.
  void measure(std::size_t group, std::vector<NearGroup>& others) const;

  /// Writes the lists of the members of `group` from `others`, which are measured and in any order:
  /// the nearest, but of equal rows at most most_copies() unless there is nobody else. Only the
  /// lists of these members are written to.
  void write(std::size_t group, std::vector<NearGroup>& others) const;

 private:
  const FeatureRows& rows_;
  const RowGroups& groups_;
  NeighborLists& lists_;
};

}  // namespace shiftcut

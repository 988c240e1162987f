// From the nearest groups of equal rows to the lists of their members.
#pragma once

#include <vector>

#include "neighbors/neighbor_lists.hpp"
#include "neighbors/row_groups.hpp"

namespace shiftcut {

/// A group of equal rows, and its squared distance from another.
struct NearGroup {
  double squared = 0;
  ObjectId group = 0;
};

class ListWriter {
 public:
  ListWriter(const FeatureRows& rows, const RowGroups& groups, NeighborLists& lists)
      : rows_(rows), groups_(groups), lists_(lists) {}

  /// Whether the members of the group are each other's nearest, with none left to look for.
  [[nodiscard]] bool is_full(std::size_t group) const {
    return groups_.of(group).size() > lists_.k;
  }

  /// Squared distances of `group` from `others`, from differences in double precision.
  void measure(std::size_t group, std::vector<NearGroup>& others) const;

  /// Writes the lists of the members of `group`: themselves, then `others`, which are measured and
  /// in any order. Only the lists of these members are written to.
  void write(std::size_t group, std::vector<NearGroup>& others) const;

 private:
  const FeatureRows& rows_;
  const RowGroups& groups_;
  NeighborLists& lists_;
};

}  // namespace shiftcut

// Groups of equal rows. A search among distinct rows is not swamped by distances of 0.
#pragma once

#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// The objects in groups of equal rows, the groups in the order of their first members.
struct RowGroups {
  std::vector<std::size_t> offsets;  // groups + 1
  std::vector<ObjectId> members;     // ascending within a group

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::span<const ObjectId> of(std::size_t group) const {
    return std::span(members).subspan(offsets[group], offsets[group + 1] - offsets[group]);
  }
  [[nodiscard]] ObjectId first(std::size_t group) const { return members[offsets[group]]; }
};

/// Compares rows by a hash, and in full where hashes are equal: O(n d + n log n).
RowGroups equal_rows(const FeatureRows& rows, ThreadTeam& team);

}  // namespace shiftcut

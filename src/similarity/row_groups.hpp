// Groups of equal rows, so that a search works on distinct rows: it is not swamped by distances of
// 0, and does not depend on the order in which rows are given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// The objects in groups of equal rows.
struct RowGroups {
  std::vector<std::size_t> offsets;  // groups + 1
  std::vector<ObjectId> members;     // ascending within a group

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::span<const ObjectId> of(std::size_t group) const {
    return std::span(members).subspan(offsets[group], offsets[group + 1] - offsets[group]);
  }
  [[nodiscard]] ObjectId first(std::size_t group) const { return members[offsets[group]]; }
};

/// The groups in the order of their first members. Compares rows by a hash, and in full where
/// hashes are equal: O(n d + n log n).
RowGroups equal_rows(const FeatureRows& rows, ThreadTeam& team);

/// The groups in an order that follows from what their rows hold alone: by their hashes, then by
/// their numbers. 0 and -0 are the same. O(n d + n log n).
RowGroups distinct_rows(const DenseArray& rows, ThreadTeam& team);
/// The same for rows that are a part of others, of which `columns` hold more than one number.
RowGroups distinct_rows(const DenseArray& rows, std::span<const std::size_t> columns,
                        ThreadTeam& team);
/// The hashes that order the groups, by the same columns.
std::vector<std::uint64_t> hashes_of(const DenseArray& rows, std::span<const std::size_t> columns,
                                     ThreadTeam& team);
RowGroups distinct_rows(const SparseMatrix& rows, ThreadTeam& team);

/// Below, equal to or above 0, as row a comes before b, equals it or comes after: number by number.
int compare_rows(const DenseArray& rows, std::size_t a, std::size_t b);
int compare_rows(const SparseMatrix& rows, std::size_t a, std::size_t b);

/// The rows named, in this order; dense ones are not copied.
DenseArray rows_of(const DenseArray& data, std::span<const ObjectId> rows);
SparseMatrix rows_of(const SparseMatrix& data, std::span<const ObjectId> rows);

}  // namespace shiftcut

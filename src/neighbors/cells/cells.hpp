// The rows partitioned into cells around centres, and stored cell by cell: the index (an inverted
// file) of the approximate search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "core/memory.hpp"
#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "core/work_meter.hpp"
#include "neighbors/packed_rows.hpp"

namespace shiftcut {

/// Finds the nearest of a set of centres, in float32. It has the least |c|^2 / 2 - x.c, which is a
/// single product if |c|^2 / 2 is stored as another entry of the centre.
class Centres {
 public:
  /// `centres` holds `length` numbers per centre.
  Centres(const std::vector<float>& centres, std::size_t length);

  /// Writes the index of the nearest centre for each row of length + 1 numbers, the last of them 1.
  void nearest(std::span<const float* const> rows, std::uint32_t* out) const;

 private:
  std::vector<PackedColumns<float>> packed_;
};

/// A row is identified by its place in the order of the cells; group(place) is its number in
/// ScaledRows.
class Cells {
 public:
  /// About 2 sqrt(n) cells around centres found by a few steps of k-means on a sample (Lloyd 1982);
  /// cells that turn out too large are halved. O(n^1.5 d) time, 8 n d bytes. The same for any
  /// number of threads. Counts n towards the progress in `meter`.
  Cells(const ScaledRows& rows, ThreadTeam& team, WorkMeter& meter);

  [[nodiscard]] std::size_t size() const { return offsets_.size() - 1; }
  [[nodiscard]] std::size_t rows() const { return groups_.size(); }
  [[nodiscard]] std::size_t length() const { return length_; }
  [[nodiscard]] std::size_t begin(std::size_t cell) const { return offsets_[cell]; }
  [[nodiscard]] std::size_t end(std::size_t cell) const { return offsets_[cell + 1]; }
  [[nodiscard]] std::size_t count(std::size_t cell) const { return end(cell) - begin(cell); }

  [[nodiscard]] ObjectId group(std::size_t place) const { return groups_[place]; }
  [[nodiscard]] std::uint32_t cell_of(std::size_t place) const { return cell_of_[place]; }
  [[nodiscard]] const double* centre(std::size_t cell) const { return &centres_[cell * length_]; }
  /// The row less its cell's centre, so that float32 rounds distances between near rows by little,
  /// wherever they lie.
  [[nodiscard]] const float* row(std::size_t place) const {
    return values_.data() + place * length_;
  }
  /// The rows of a cell times -2, packed as columns for products.
  [[nodiscard]] const PackedColumns<float>& packed(std::size_t cell) const { return packed_[cell]; }
  /// |row|^2 of the rows of a cell, infinite in the padding.
  [[nodiscard]] const float* squares(std::size_t cell) const { return squares_[cell].data(); }
  /// Writes centre(from) - centre(to), which converts a row of the one cell to the other.
  void step(std::size_t from, std::size_t to, float* out) const;

 private:
  void lay_out(const ScaledRows& rows, ThreadTeam& team);

  std::size_t length_;
  std::vector<std::size_t> offsets_;
  std::vector<ObjectId> groups_;
  std::vector<std::uint32_t> cell_of_;
  std::vector<double> centres_;
  UninitializedArray<float> values_;
  std::vector<PackedColumns<float>> packed_;
  std::vector<std::vector<float>> squares_;
};

}  // namespace shiftcut

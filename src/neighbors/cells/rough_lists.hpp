// The steps of the approximate search and what they pass on: lists of near rows by float32
// distances, rows identified by their places in the cells.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "core/work_meter.hpp"
#include "neighbors/cells/cells.hpp"

namespace shiftcut {

struct RoughNeighbor {
  ObjectId place = 0;
  float squared = 0;  // 0 or more

  // By distance, then place. Floats that are not negative are ordered as their bits are.
  bool operator<(const RoughNeighbor& other) const { return key() < other.key(); }
  [[nodiscard]] std::int64_t key() const {
    return (std::int64_t{std::bit_cast<std::int32_t>(squared)} << 32) | std::int64_t{place};
  }
  static RoughNeighbor from_key(std::int64_t key) {
    return {static_cast<ObjectId>(key), std::bit_cast<float>(static_cast<std::int32_t>(key >> 32))};
  }
};

/// n lists of `length` neighbours, nearest first.
struct RoughLists {
  std::size_t length;
  std::vector<RoughNeighbor> all;
  /// Of every row, the squared distance of the farthest centre whose cell it has been compared
  /// with.
  std::vector<float> reach;

  RoughLists(std::size_t n, std::size_t most) : length(most), all(n * most) {}

  [[nodiscard]] const RoughNeighbor* of(std::size_t place) const { return &all[place * length]; }
};

/// Collects the `most` nearest of all that are pushed. Most of what is pushed is not kept for long,
/// so the list is kept in order: its limit is then always the lowest there can be.
class RoughList {
 public:
  explicit RoughList(std::size_t most)
      : most_(most), keys_(1 + (most + kKeysPerStep - 1) / kKeysPerStep * kKeysPerStep, kNone) {
    keys_[0] = -1;  // below all others, for insert_lowest()
  }

  /// A neighbour beyond this distance would be dropped.
  [[nodiscard]] float limit() const { return RoughNeighbor::from_key(keys_[most_]).squared; }

  void push(std::span<const std::int64_t> keys) {
    insert_lowest(&keys_[1], keys_.size() - 1, keys.data(), keys.size());
  }

  /// Writes them, nearest first.
  void finish(RoughNeighbor* out) const {
    for (std::size_t e = 1; e <= most_ && keys_[e] != kNone; ++e) {
      *out++ = RoughNeighbor::from_key(keys_[e]);
    }
  }

 private:
  static constexpr std::int64_t kNone =
      (std::int64_t{std::bit_cast<std::int32_t>(std::numeric_limits<float>::max())} << 32) |
      std::int64_t{std::numeric_limits<ObjectId>::max()};

  std::size_t most_;
  std::vector<std::int64_t> keys_;
};

/// The centres that may be among the `probes` nearest of some row of a cell. The rows of the cell
/// lie around its own centre, so centres too far from that one are ruled out for all of them.
class CentresAround {
 public:
  /// O(cells d).
  CentresAround(std::size_t cell, const Cells& cells, std::size_t probes);

  [[nodiscard]] std::size_t probes() const { return probes_; }
  /// Their cells, ordered by the distance of their centres from this one's.
  [[nodiscard]] const std::vector<std::size_t>& cells() const { return cells_; }
  /// Scores per row, including padding.
  [[nodiscard]] std::size_t width() const { return steps_.width(); }
  /// For rows of the cell: out[r * width() + c] = |x - centre of cells()[c]|^2 - |x|^2.
  void scores(std::span<const float* const> rows, float* out) const;

 private:
  std::size_t probes_;
  std::vector<std::size_t> cells_;
  std::vector<float> squared_;
  PackedColumns<float> steps_;
};

/// Compares every row with all rows of the `probes` cells whose centres are nearest to it, or of
/// more cells until they hold enough rows (Jegou, Douze, Schmid 2011). The rows of a cell are
/// compared together, as a product of matrices. O(n (cells + probes n / cells) d).
RoughLists probe_cells(const Cells& cells, std::size_t probes, std::size_t most, ThreadTeam& team,
                       WorkMeter& meter);

/// One step of NN-descent (Dong, Moses, Li 2011): a neighbour's neighbour is often a neighbour. Two
/// rows are neighbours here if either is near the top of the other's list; of the lists that a row
/// is on, it knows the nearest. New lists depend on the old ones alone, so the order of the work
/// does not matter. Some hundred distances per row, 4 n bytes per thread.
RoughLists improved(const RoughLists& lists, const Cells& cells, ThreadTeam& team,
                    WorkMeter& meter);

}  // namespace shiftcut

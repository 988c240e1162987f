// Reliable agglomerative clustering works in rounds on one table of distances: every round merges
// all pairs of clusters that are each other's nearest neighbours.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/plain_array.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/methods/agglomerative.hpp"

namespace shiftcut::methods {

/// A few of the clusters nearest to one, and a lower bound on the distance of all others. A cluster
/// whose nearest neighbour has merged finds the next one here, and rarely has to search all.
class NearestList {
 public:
  struct Neighbor {
    std::uint32_t slot = 0;
    double distance = std::numeric_limits<double>::infinity();
  };

  /// Empties the list, as after a merge of the cluster itself.
  void clear() {
    count_ = 0;
    bound_ = -std::numeric_limits<double>::infinity();
  }

  /// Fills the list from all distances; returns the nearest, of equal ones the lowest slot.
  Neighbor find(const double* distances, std::size_t count) {
    count_ = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const bool is_full = count_ == kLength;
      if (!(distances[j] < (is_full ? distances_[kLength - 1] : kInfinity))) {
        continue;
      }
      std::size_t place = is_full ? kLength - 1 : count_++;
      for (; place > 0 && distances[j] < distances_[place - 1]; --place) {
        distances_[place] = distances_[place - 1];
        slots_[place] = slots_[place - 1];
      }
      distances_[place] = distances[j];
      slots_[place] = static_cast<std::uint32_t>(j);
    }
    bound_ = count_ == kLength ? distances_[kLength - 1] : kInfinity;
    return count_ == 0 ? Neighbor{} : Neighbor{slots_[0], distances_[0]};
  }

  /// The nearest, if the bound proves that it is on the list.
  [[nodiscard]] std::optional<Neighbor> nearest() const {
    Neighbor best;
    for (std::size_t i = 0; i < count_; ++i) {
      if (distances_[i] < best.distance ||
          (distances_[i] == best.distance && slots_[i] < best.slot)) {
        best = {slots_[i], distances_[i]};
      }
    }
    return best.distance < bound_ ? std::optional(best) : std::nullopt;
  }

  /// Two others have merged and are now at `distance`. With a reducible linkage that is no less
  /// than the smaller of their distances, so it matters only where one of them is on the list;
  /// should rounding bring them nearer, the bound is lowered.
  void merged(std::uint32_t kept, std::uint32_t gone, double distance) {
    unsigned seen = 0;
    for (std::size_t i = 0; i < kLength; ++i) {  // past the count too: a fixed length vectorises
      seen |= static_cast<unsigned>(slots_[i] == kept) | static_cast<unsigned>(slots_[i] == gone);
    }
    bool is_listed = false;
    for (std::size_t i = 0; seen != 0 && i < count_; ++i) {
      if (slots_[i] == kept || slots_[i] == gone) {
        slots_[i] = kept;
        distances_[i] = distance;
        is_listed = true;
      }
    }
    bound_ = is_listed ? bound_ : std::min(bound_, distance);
  }

  /// Slots have been renumbered, in the same order.
  void renumber(const std::vector<std::uint32_t>& moved, std::uint32_t none) {
    std::size_t left = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint32_t slot = moved[slots_[i]];
      if (slot != none) {
        distances_[left] = distances_[i];
        slots_[left++] = slot;
      }
    }
    count_ = left;
  }

 private:
  static constexpr std::size_t kLength = 16;  // two vector registers of slots
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  std::array<std::uint32_t, kLength> slots_{};
  std::array<double, kLength> distances_{};
  std::size_t count_ = 0;
  double bound_ = -kInfinity;  // no cluster off the list is nearer
};

/// A square working copy of the distances between clusters. A cluster has the slot of its lowest
/// object; an empty slot is infinitely far from all, and once half of them are empty the table
/// shrinks. With a reducible linkage a merge changes the nearest neighbour of another cluster only
/// if that was one of the two: only those search again, in a short list first.
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
  PlainArray<double> table_;
  std::size_t width_;
  std::vector<Slot> active_;           // ascending
  std::vector<std::uint32_t> object_;  // the lowest object of each slot
  std::vector<double> sizes_;
  std::vector<Slot> nearest_;
  std::vector<double> distance_;         // to the nearest
  std::vector<unsigned char> is_stale_;  // its nearest must be searched for
  std::vector<NearestList> near_;
};

}  // namespace shiftcut::methods

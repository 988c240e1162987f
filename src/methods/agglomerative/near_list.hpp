// A few of the clusters nearest to one, and how near any other can be: a cluster whose nearest
// neighbour has gone finds the next one here, and only now and then among all.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace shiftcut::methods {

class NearList {
 public:
  struct Neighbor {
    std::uint32_t slot = 0;
    double distance = std::numeric_limits<double>::infinity();
  };

  /// Forgets all, as after a merge of the cluster itself.
  void clear() {
    count_ = 0;
    bound_ = -std::numeric_limits<double>::infinity();
  }

  /// Looks at all distances; returns the nearest, of equal ones the lowest slot.
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

  /// The nearest, if it is sure to be on the list.
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

  /// Two others have merged, and are at `distance` together. With a reducible linkage they are no
  /// nearer than the nearer of them was, so they matter only where one of them is on the list; what
  /// rounding does about that lowers the bound.
  void merged(std::uint32_t kept, std::uint32_t gone, double distance) {
    unsigned seen = 0;
    for (std::size_t i = 0; i < kLength; ++i) {  // past the count too: of fixed length it is quick
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

  /// Slots have new numbers, in the same order.
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
  static constexpr std::size_t kLength = 16;
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  std::array<std::uint32_t, kLength> slots_{};
  std::array<double, kLength> distances_{};
  std::size_t count_ = 0;
  double bound_ = -kInfinity;  // no cluster that is not listed is nearer
};

}  // namespace shiftcut::methods

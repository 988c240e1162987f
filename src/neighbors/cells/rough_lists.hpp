// Near rows as an approximate search finds them: by float32 distances, rows known by their places
// in the cells.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/partition.hpp"

namespace shiftcut {

struct RoughNeighbor {
  float squared = 0;
  ObjectId place = 0;

  bool operator<(const RoughNeighbor& other) const {
    return squared != other.squared ? squared < other.squared : place < other.place;
  }
};

/// n lists of `length`, nearest first.
struct RoughLists {
  std::size_t length;
  std::vector<RoughNeighbor> all;

  RoughLists(std::size_t n, std::size_t most) : length(most), all(n * most) {}

  [[nodiscard]] const RoughNeighbor* of(std::size_t place) const { return &all[place * length]; }
};

/// The `most` nearest of all that are pushed.
class RoughList {
 public:
  explicit RoughList(std::size_t most) : most_(most) { found_.reserve(room()); }

  /// A distance above this is not worth pushing.
  [[nodiscard]] float limit() const { return limit_; }

  void push(RoughNeighbor neighbor) {
    found_.push_back(neighbor);
    if (found_.size() == room()) {
      tighten();
    }
  }

  /// Writes them, nearest first.
  void finish(RoughNeighbor* out) {
    tighten();
    std::sort(found_.begin(), found_.end());
    std::copy(found_.begin(), found_.end(), out);
  }

 private:
  [[nodiscard]] std::size_t room() const { return 2 * most_ + 16; }

  void tighten() {
    if (found_.size() > most_) {
      const auto last = found_.begin() + static_cast<std::ptrdiff_t>(most_ - 1);
      std::nth_element(found_.begin(), last, found_.end());
      limit_ = last->squared;
      found_.resize(most_);
    }
  }

  std::size_t most_;
  float limit_ = std::numeric_limits<float>::max();
  std::vector<RoughNeighbor> found_;
};

}  // namespace shiftcut

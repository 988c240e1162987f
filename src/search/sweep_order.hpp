// The order a sweep visits the objects in, fresh for every sweep. Up to 65,536 objects it is a
// uniformly random permutation. Beyond, runs of 64 consecutive objects come in uniformly random
// order, each walked from a random place with a random stride: memory is read in whole pages and
// nothing of length n is shuffled.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ids.hpp"
#include "core/rng.hpp"

namespace shiftcut {

class SweepOrder {
 public:
  explicit SweepOrder(std::size_t n);

  /// Draws a new order.
  void shuffle(Rng& rng);

  [[nodiscard]] std::size_t size() const { return n_; }

  /// Writes the objects at positions begin .. begin+count-1. Safe from several threads at once.
  void fill(std::size_t begin, std::size_t count, ObjectId* out) const;

 private:
  std::size_t n_;
  std::size_t run_;               // 1 or 64
  std::vector<ObjectId> runs_;    // the runs, or single objects, in order
  std::size_t short_position_ = 0;  // where the last, perhaps shorter run stands
  std::uint64_t salt_ = 0;
};

}  // namespace shiftcut

// The order a sweep visits the objects in, fresh for every sweep. Up to 8,192 objects it is a
// uniformly random permutation. Beyond, runs of 16 or 64 consecutive objects come in uniformly
// random order, each walked from a random place with a random stride (a last run that is shorter
// comes last): memory is read in whole pages and nothing of length n is shuffled.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/partition.hpp"
#include "core/rng.hpp"

namespace shiftcut {

class SweepOrder {
 public:
  explicit SweepOrder(std::size_t n);

  static constexpr std::size_t kLongestRun = 64;
  /// How many objects come together in a run, for n objects: 1, 16 or kLongestRun.
  static std::size_t run_length(std::size_t n);

  /// Draws a new order.
  void shuffle(Rng& rng);

  [[nodiscard]] std::size_t size() const { return n_; }

  /// The run that comes `index`-th: it holds the objects run * length .. + length - 1.
  [[nodiscard]] ObjectId run(std::size_t index) const { return runs_[index]; }

  /// Which of a run's objects comes when: place(object) is how many of the run come before it.
  class Places {
   public:
    [[nodiscard]] std::size_t place(ObjectId object) const {
      const std::size_t steps = object - first_ + length_ - start_;
      return is_whole_ ? steps * inverse_ & (length_ - 1) : steps % length_;
    }

   private:
    friend class SweepOrder;
    std::size_t first_ = 0;
    std::size_t length_ = 1;
    std::size_t start_ = 0;
    std::size_t inverse_ = 1;  // of the stride
    bool is_whole_ = true;
  };
  [[nodiscard]] Places places(std::size_t index) const;

  /// Writes the objects at positions begin .. begin+count-1. Safe from several threads at once.
  void fill(std::size_t begin, std::size_t count, ObjectId* out) const;

 private:
  // How a run is walked: place i of it comes (i - start) / stride-th, modulo its length.
  struct Walk {
    std::size_t first;  // object
    std::size_t length;
    std::size_t start;
    std::size_t stride;
  };
  [[nodiscard]] Walk walk(std::size_t index) const;

  std::size_t n_;
  std::size_t length_;
  std::vector<ObjectId> runs_;
  std::uint64_t salt_ = 0;
};

}  // namespace shiftcut

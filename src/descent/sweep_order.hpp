// The order in which a sweep visits the objects, drawn afresh for every sweep.
//
// Small problems get a uniformly random permutation. In larger ones, runs of 16 or 64 consecutive
// objects come in uniformly random order, each walked from a random start with a random stride (a
// shorter last run comes last): memory is read in whole pages, and nothing of length n is shuffled.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/partition.hpp"
#include "core/rng.hpp"
#include "core/stop_check.hpp"
#include "descent/tuning.hpp"

namespace shiftcut {

class SweepOrder {
 public:
  explicit SweepOrder(std::size_t n);

  static constexpr std::size_t kLongestRun = descent_tuning::kLongRun;
  /// The length of runs for n objects.
  static std::size_t run_length(std::size_t n);

  /// Draws a new order.
  void shuffle(Rng& rng);

  [[nodiscard]] std::size_t size() const { return n_; }

  /// The run at position `index`: run r holds the objects r * length .. r * length + length - 1.
  [[nodiscard]] ObjectId run(std::size_t index) const { return runs_[index]; }

  /// Positions within a run: place(object) is how many objects of the run come before it.
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
  // How a run is walked: object first + i comes at place (i - start) / stride modulo the length.
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

/// Calls visit(object) for every object in order, until asked to stop.
template <class Visit>
void for_each_in_order(const SweepOrder& order, StopCheck& stop, const Visit& visit) {
  constexpr std::size_t kChunk = descent_tuning::kStopCheckEvery;
  std::vector<ObjectId> objects(kChunk);
  for (std::size_t begin = 0; begin < order.size() && !stop.should_stop(); begin += kChunk) {
    const std::size_t count = std::min(kChunk, order.size() - begin);
    order.fill(begin, count, objects.data());
    for (std::size_t i = 0; i < count; ++i) {
      visit(objects[i]);
    }
  }
}

}  // namespace shiftcut

#include "search/sweep_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shiftcut {

namespace {

constexpr std::size_t kLargestUniform = 65536;
constexpr std::size_t kRun = 64;

}  // namespace

SweepOrder::SweepOrder(std::size_t n)
    : n_(n), run_(n <= kLargestUniform ? 1 : kRun), runs_((n + run_ - 1) / run_) {
  std::iota(runs_.begin(), runs_.end(), ObjectId{0});
  short_position_ = runs_.size() - 1;
}

void SweepOrder::shuffle(Rng& rng) {
  for (std::size_t i = runs_.size(); i > 1; --i) {
    std::swap(runs_[i - 1], runs_[rng.below(static_cast<std::uint32_t>(i))]);
  }
  salt_ = rng.next();
  if (run_ > 1) {
    const auto last = static_cast<ObjectId>(runs_.size() - 1);
    short_position_ = static_cast<std::size_t>(
        std::find(runs_.begin(), runs_.end(), last) - runs_.begin());
  }
}

void SweepOrder::fill(std::size_t begin, std::size_t count, ObjectId* out) const {
  if (run_ == 1) {
    std::copy_n(runs_.begin() + static_cast<std::ptrdiff_t>(begin), count, out);
    return;
  }
  const std::size_t short_length = n_ - (runs_.size() - 1) * run_;
  const std::size_t short_begin = short_position_ * run_;
  const std::size_t end = begin + count;
  std::size_t position = begin;
  while (position < end) {
    const bool after = position >= short_begin + short_length;
    const std::size_t shifted = after ? position + run_ - short_length : position;
    const std::size_t index = shifted / run_;
    const std::size_t within = shifted % run_;
    const bool is_short = index == short_position_;
    const std::size_t length = is_short ? short_length : run_;
    const std::size_t here = std::min(length - within, end - position);
    const std::uint64_t random = mix(salt_ ^ runs_[index]);
    // An odd stride visits every place of a run of 64; a shorter run is only rotated.
    const std::size_t stride = is_short ? 1 : (random | 1) % run_;
    const std::size_t start = (random >> 32) % length;
    std::size_t place = (start + stride * within) % length;
    const std::size_t base = static_cast<std::size_t>(runs_[index]) * run_;
    for (std::size_t i = 0; i < here; ++i) {
      *out++ = static_cast<ObjectId>(base + place);
      place += stride;
      place -= place >= length ? length : 0;
    }
    position += here;
  }
}

}  // namespace shiftcut

#include "search/sweep_order.hpp"

#include <numeric>
#include <utility>

namespace shiftcut {

namespace {

constexpr std::size_t kLargestUniform = 65536;
constexpr std::size_t kRun = 64;

}  // namespace

std::size_t SweepOrder::run_length(std::size_t n) { return n <= kLargestUniform ? 1 : kRun; }

SweepOrder::SweepOrder(std::size_t n)
    : n_(n), length_(run_length(n)), runs_((n + length_ - 1) / length_) {
  std::iota(runs_.begin(), runs_.end(), ObjectId{0});
}

void SweepOrder::shuffle(Rng& rng) {
  const std::size_t whole = n_ / length_;
  for (std::size_t i = whole; i > 1; --i) {
    std::swap(runs_[i - 1], runs_[rng.below(static_cast<std::uint32_t>(i))]);
  }
  salt_ = rng.next();
}

void SweepOrder::fill(std::size_t begin, std::size_t count, ObjectId* out) const {
  if (length_ == 1) {
    std::copy_n(runs_.begin() + static_cast<std::ptrdiff_t>(begin), count, out);
    return;
  }
  const std::size_t end = begin + count;
  for (std::size_t position = begin; position < end;) {
    const std::size_t index = position / length_;
    const std::size_t within = position % length_;
    const std::size_t first = static_cast<std::size_t>(runs_[index]) * length_;
    const std::size_t length = std::min(length_, n_ - first);
    const std::uint64_t random = mix(salt_ ^ runs_[index]);
    // An odd stride visits every place of a run of 64; a shorter run is only rotated.
    const std::size_t stride = length < length_ ? 1 : (random | 1) % length_;
    std::size_t place = ((random >> 32) + stride * within) % length;
    const std::size_t here = std::min(length - within, end - position);
    for (std::size_t i = 0; i < here; ++i) {
      *out++ = static_cast<ObjectId>(first + place);
      place += stride;
      place -= place >= length ? length : 0;
    }
    position += here;
  }
}

}  // namespace shiftcut

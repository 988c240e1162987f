#include "descent/sweep_order.hpp"

#include <numeric>
#include <utility>

namespace shiftcut {

using namespace descent_tuning;

std::size_t SweepOrder::run_length(std::size_t n) {
  if (n <= kLargestShuffle) {
    return 1;
  }
  return n <= kLargestShortRuns ? kShortRun : kLongRun;
}

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

SweepOrder::Walk SweepOrder::walk(std::size_t index) const {
  const std::size_t first = static_cast<std::size_t>(runs_[index]) * length_;
  const std::size_t length = std::min(length_, n_ - first);
  const std::uint64_t random = mix(salt_ ^ runs_[index]);
  // An odd stride visits every object of a run of 16 or 64; a shorter run is only rotated.
  const std::size_t stride = length < length_ ? 1 : (random | 1) % length_;
  return {first, length, (random >> 32) % length, stride};
}

SweepOrder::Places SweepOrder::places(std::size_t index) const {
  const Walk walked = walk(index);
  Places places;
  places.first_ = walked.first;
  places.length_ = walked.length;
  places.start_ = walked.start;
  places.is_whole_ = walked.length == length_;
  // The inverse of an odd number modulo 2^k: each Newton iteration doubles the correct bits.
  places.inverse_ = walked.stride;
  for (int round = 0; round < 3; ++round) {
    places.inverse_ *= 2 - walked.stride * places.inverse_;
  }
  return places;
}

void SweepOrder::fill(std::size_t begin, std::size_t count, ObjectId* out) const {
  if (length_ == 1) {
    std::copy_n(runs_.begin() + static_cast<std::ptrdiff_t>(begin), count, out);
    return;
  }
  const std::size_t end = begin + count;
  for (std::size_t position = begin; position < end;) {
    const std::size_t within = position % length_;
    const Walk walked = walk(position / length_);
    const std::size_t here = std::min(walked.length - within, end - position);
    std::size_t place = (walked.start + walked.stride * within) % walked.length;
    for (std::size_t i = 0; i < here; ++i) {
      *out++ = static_cast<ObjectId>(walked.first + place);
      place += walked.stride;
      place -= place >= walked.length ? walked.length : 0;
    }
    position += here;
  }
}

}  // namespace shiftcut

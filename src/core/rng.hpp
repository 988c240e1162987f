// Random numbers, the same on every machine: xoshiro256++ (Blackman, Vigna 2019), seeded by
// splitmix64 from a seed and a stream number. Restart r of a run draws from stream r.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace shiftcut {

/// One step of splitmix64: a good 64-bit mix of `x`.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t x = mix(seed) ^ mix(~stream);
    for (auto& word : state_) {
      x = mix(x);
      word = x;
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform in 0 .. bound-1 (bound > 0), to within 2^-32: by multiplication (Lemire 2019).
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace shiftcut

// A number that tells data apart: the same for the same bytes on every machine, and all but surely
// another for others. Nobody is kept from making two that share one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace shiftcut {

class Fingerprint {
 public:
  Fingerprint& add(std::uint64_t number) {
    state_ = mixed(state_ ^ mixed(number + kStep));
    return *this;
  }

  Fingerprint& add_bytes(std::string_view bytes) {
    add(bytes.size());
    std::uint64_t lanes[4] = {state_, state_ + kStep, state_ + 2 * kStep, state_ + 3 * kStep};
    std::size_t at = 0;
    for (; at + sizeof lanes <= bytes.size(); at += sizeof lanes) {
      std::uint64_t words[4];
      std::memcpy(words, bytes.data() + at, sizeof words);
      for (int lane = 0; lane < 4; ++lane) {
        lanes[lane] = (lanes[lane] ^ words[lane]) * kFactor;
        lanes[lane] ^= lanes[lane] >> 29U;
      }
    }
    for (const std::uint64_t lane : lanes) {
      add(lane);
    }
    for (; at < bytes.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
      add(word);
    }
    return *this;
  }

  template <class T>
    requires std::is_trivially_copyable_v<T>
  Fingerprint& add_numbers(std::span<const T> numbers) {
    return add_bytes({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
  }
  template <class T>
  Fingerprint& add_numbers(const std::vector<T>& numbers) {
    return add_numbers(std::span<const T>(numbers));
  }

  [[nodiscard]] std::uint64_t value() const { return mixed(state_); }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;
  static constexpr std::uint64_t kFactor = 0xff51afd7ed558ccdU;

  // The finaliser of MurmurHash3 (Appleby 2011).
  static constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 33U)) * kFactor;
    x = (x ^ (x >> 33U)) * 0xc4ceb9fe1a85ec53U;
    return x ^ (x >> 33U);
  }

  std::uint64_t state_ = kStep;
};

}  // namespace shiftcut

// Numbers for the tests of kernels.
#pragma once

#include <cstddef>
#include <vector>

#include "core/rng.hpp"
#include "support/random_problems.hpp"

namespace shiftcut::kernel_testing {

using testing_support::normal;

inline constexpr std::size_t kLongest = 70;

template <class T>
std::vector<T> numbers(std::size_t count, Rng& rng) {
  std::vector<T> out(count);
  for (T& x : out) {
    x = static_cast<T>(normal(rng));
  }
  return out;
}

// A guard behind the end that no kernel may touch.
inline constexpr double kGuard = 12345;

template <class T>
std::vector<T> guarded(std::vector<T> values) {
  values.push_back(static_cast<T>(kGuard));
  return values;
}

}  // namespace shiftcut::kernel_testing

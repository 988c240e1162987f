// The hot loops, compiled for several generations of x86-64 processors; the best one is chosen when
// the program starts. All of them compute the same: the same operations in the same order, without
// fused multiply-add (-ffp-contract=off), so that labels do not depend on the processor.
#pragma once

#include <cstdint>
#include <string_view>

#define SHIFTCUT_INLINE inline __attribute__((always_inline))
#define SHIFTCUT_INLINED __attribute__((always_inline))  // for a lambda

namespace shiftcut {

/// x86-64-v2 stands for every processor without AVX2, those of other makes included.
enum class SimdLevel : std::uint8_t { v2, v3, v4 };

/// The best one this processor has, or the one the environment variable SHIFTCUT_SIMD names.
extern const SimdLevel kSimdLevel;

std::string_view name_of(SimdLevel level);

/// Throws std::invalid_argument if SHIFTCUT_SIMD names no level that this processor has.
void check_simd_setting();

#if defined(__x86_64__)
template <class Body>
__attribute__((target("arch=x86-64-v4"), flatten, noinline)) auto run_on_v4(const Body& body) {
  return body();
}

template <class Body>
__attribute__((target("arch=x86-64-v3"), flatten, noinline)) auto run_on_v3(const Body& body) {
  return body();
}
#endif

/// Runs `body`, a lambda that is SHIFTCUT_INLINED and captures by value, compiled for kSimdLevel.
template <class Body>
SHIFTCUT_INLINE auto run_simd(const Body& body) {
#if defined(__x86_64__)
  switch (kSimdLevel) {
    case SimdLevel::v4:
      return run_on_v4(body);
    case SimdLevel::v3:
      return run_on_v3(body);
    case SimdLevel::v2:
      break;
  }
#endif
  return body();
}

}  // namespace shiftcut

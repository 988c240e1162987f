// Hot loops are compiled for three generations of x86-64 processors, and the best version is chosen
// at run time. Every version performs the same operations in the same order, without fused
// multiply-add (-ffp-contract=off), so labels do not depend on the processor.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#define SHIFTCUT_INLINE inline __attribute__((always_inline))
#define SHIFTCUT_INLINED __attribute__((always_inline))  // for a lambda

namespace shiftcut {

/// The x86-64 feature levels. v2 also stands for every other architecture.
enum class SimdLevel : std::uint8_t { v2, v3, v4 };

/// The highest level this processor supports, or the one the environment variable SHIFTCUT_SIMD
/// names.
extern const SimdLevel kSimdLevel;

std::string_view name_of(SimdLevel level);

/// Throws std::invalid_argument if SHIFTCUT_SIMD names a level that this processor lacks.
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

template <class T>
struct VectorOf;
template <>
struct VectorOf<float> {
  using Type [[gnu::vector_size(64)]] = float;
};
template <>
struct VectorOf<double> {
  using Type [[gnu::vector_size(64)]] = double;
};
template <>
struct VectorOf<std::int32_t> {
  using Type [[gnu::vector_size(64)]] = std::int32_t;
};
template <>
struct VectorOf<std::int64_t> {
  using Type [[gnu::vector_size(64)]] = std::int64_t;
};

/// 64 bytes of numbers; the compiler splits them where registers are narrower.
template <class T>
using Vector = typename VectorOf<T>::Type;

/// Loads an unaligned vector. It returns through a reference because a function that returned a
/// vector would have a different calling convention at each SIMD level.
template <class T>
SHIFTCUT_INLINE void load(Vector<T>& v, const T* p) {
  std::memcpy(&v, p, sizeof(v));
}

}  // namespace shiftcut

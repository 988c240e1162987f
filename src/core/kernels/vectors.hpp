// Vectors of 64 bytes for the kernels; the compiler splits them where registers are narrower.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/kernels/simd.hpp"

namespace shiftcut {

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
template <class T>
using Vector = typename VectorOf<T>::Type;

// The vector at p, which need not be aligned. By reference: always inlined, it has no ABI to keep.
template <class T>
SHIFTCUT_INLINE void load(Vector<T>& v, const T* p) {
  std::memcpy(&v, p, sizeof(v));
}

}  // namespace shiftcut

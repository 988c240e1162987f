#include "core/kernels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

// One function, several processors: the loader picks the best version. The sanitizers can't cope
// with functions chosen that early.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(SHIFTCUT_SANITIZED)
#define SHIFTCUT_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), flatten))
#else
#define SHIFTCUT_CLONES
#endif

#define SHIFTCUT_INLINE inline __attribute__((always_inline))

namespace shiftcut {

namespace {

// 64 bytes of numbers as one value; the compiler splits it where registers are narrower.
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
template <class T>
using Vector = typename VectorOf<T>::Type;

// The vector at p, which need not be aligned. By reference: always inlined, it has no ABI to keep.
template <class T>
SHIFTCUT_INLINE void load(Vector<T>& v, const T* p) {
  std::memcpy(&v, p, sizeof(v));
}

SHIFTCUT_INLINE double total(const Vector<double>& v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

// sum over j of a term in a_j and b_j, in four strands of eight.
template <class Add>
SHIFTCUT_INLINE double reduce(const double* a, const double* b, std::size_t length, Add add) {
  constexpr std::size_t kStrands = 4;
  constexpr std::size_t kLanes = 8;
  Vector<double> sums[kStrands] = {};
  Vector<double> va;
  Vector<double> vb;
  std::size_t j = 0;
  for (; j + kStrands * kLanes <= length; j += kStrands * kLanes) {
    for (std::size_t s = 0; s < kStrands; ++s) {
      load(va, a + j + s * kLanes);
      load(vb, b + j + s * kLanes);
      add(sums[s], va, vb);
    }
  }
  for (; j + kLanes <= length; j += kLanes) {
    load(va, a + j);
    load(vb, b + j);
    add(sums[0], va, vb);
  }
  const Vector<double> strands = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  double sum = total(strands);
  for (; j < length; ++j) {
    add(sum, a[j], b[j]);
  }
  return sum;
}

struct Product {
  template <class V>
  SHIFTCUT_INLINE void operator()(V& sum, const V& a, const V& b) const {
    sum += a * b;
  }
};

struct SquaredDifference {
  template <class V>
  SHIFTCUT_INLINE void operator()(V& sum, const V& a, const V& b) const {
    const V difference = a - b;
    sum += difference * difference;
  }
};

// One panel of columns against `Rows` rows: an accumulator vector (or two, for doubles) a row.
template <int Rows, class T, class Add>
SHIFTCUT_INLINE void tile(const T* const* rows, std::size_t length, const T* panel, T* out,
                          std::size_t out_stride, Add add) {
  constexpr std::size_t kLanes = 64 / sizeof(T);
  for (std::size_t lane = 0; lane < kPanel; lane += kLanes) {
    Vector<T> sums[Rows] = {};
    Vector<T> column;
    for (std::size_t j = 0; j < length; ++j) {
      load(column, panel + j * kPanel + lane);
      for (int r = 0; r < Rows; ++r) {
        const Vector<T> entry = rows[r][j] - Vector<T>{};
        add(sums[r], entry, column);
      }
    }
    for (int r = 0; r < Rows; ++r) {
      std::memcpy(out + static_cast<std::size_t>(r) * out_stride + lane, &sums[r], 64);
    }
  }
}

template <class T, class Add>
SHIFTCUT_INLINE void tiles(const T* const* rows, std::size_t row_count,
                           const PackedColumns<T>& columns, T* out, Add add) {
  constexpr int kRows = 6;  // as many accumulators as AVX2 has registers for
  const std::size_t width = columns.width();
  const std::size_t length = columns.length();
  std::size_t r = 0;
  for (; r + kRows <= row_count; r += kRows) {
    for (std::size_t k = 0; k < width; k += kPanel) {
      tile<kRows>(rows + r, length, columns.panel(k / kPanel), out + r * width + k, width, add);
    }
  }
  for (; r < row_count; ++r) {
    for (std::size_t k = 0; k < width; k += kPanel) {
      tile<1>(rows + r, length, columns.panel(k / kPanel), out + r * width + k, width, add);
    }
  }
}

template <class T>
SHIFTCUT_INLINE void add_scaled_loop(double* __restrict y, double factor, const T* __restrict x,
                                     std::size_t length) {
  for (std::size_t j = 0; j < length; ++j) {
    y[j] += factor * static_cast<double>(x[j]);
  }
}

template <class T>
SHIFTCUT_INLINE void affine_loop(double* __restrict out, const T* __restrict x,
                                 const double* __restrict offset, const double* __restrict factor,
                                 std::size_t length) {
  for (std::size_t j = 0; j < length; ++j) {
    out[j] = (static_cast<double>(x[j]) - offset[j]) * factor[j];
  }
}

}  // namespace

SHIFTCUT_CLONES double dot(const double* a, const double* b, std::size_t length) {
  return reduce(a, b, length, Product{});
}

SHIFTCUT_CLONES double squared_distance(const double* a, const double* b, std::size_t length) {
  return reduce(a, b, length, SquaredDifference{});
}

SHIFTCUT_CLONES void add_scaled(double* y, double factor, const double* x, std::size_t length) {
  add_scaled_loop(y, factor, x, length);
}

SHIFTCUT_CLONES void add_scaled(double* y, double factor, const float* x, std::size_t length) {
  add_scaled_loop(y, factor, x, length);
}

SHIFTCUT_CLONES void move_between(double* __restrict from, double* __restrict to,
                                  const double* __restrict x, std::size_t length) {
  for (std::size_t j = 0; j < length; ++j) {
    from[j] -= x[j];
    to[j] += x[j];
  }
}

SHIFTCUT_CLONES void products(const double* x, const double* matrix, std::size_t rows,
                              std::size_t length, double* out) {
  for (std::size_t k = 0; k < rows; ++k) {
    out[k] = reduce(x, matrix + k * length, length, Product{});
  }
}

SHIFTCUT_CLONES void widen(double* __restrict out, const float* __restrict x, double factor,
                           std::size_t length) {
  for (std::size_t j = 0; j < length; ++j) {
    out[j] = factor * static_cast<double>(x[j]);
  }
}

SHIFTCUT_CLONES void affine(double* out, const double* x, const double* offset,
                            const double* factor, std::size_t length) {
  affine_loop(out, x, offset, factor, length);
}

SHIFTCUT_CLONES void affine(double* out, const float* x, const double* offset,
                            const double* factor, std::size_t length) {
  affine_loop(out, x, offset, factor, length);
}

SHIFTCUT_CLONES void tile_products(const float* const* rows, std::size_t row_count,
                                   const PackedColumns<float>& columns, float* out) {
  tiles(rows, row_count, columns, out, Product{});
}

SHIFTCUT_CLONES void tile_squared_distances(const double* const* rows, std::size_t row_count,
                                            const PackedColumns<double>& columns, double* out) {
  tiles(rows, row_count, columns, out, SquaredDifference{});
}

SHIFTCUT_CLONES TopTwo top_two(const float* values, std::size_t width) {
  Vector<float> first;
  load(first, values);
  Vector<float> value;
  Vector<float> second = -std::numeric_limits<float>::infinity() - Vector<float>{};
  for (std::size_t k = kPanel; k < width; k += kPanel) {
    load(value, values + k);
    const Vector<float> smaller = value > first ? first : value;
    first = value > first ? value : first;
    second = smaller > second ? smaller : second;
  }
  TopTwo top{first[0], second[0], 0};
  for (std::size_t lane = 1; lane < kPanel; ++lane) {
    const float larger = first[lane] > top.first ? first[lane] : top.first;
    const float smaller = first[lane] > top.first ? top.first : first[lane];
    top.second = std::max({top.second, smaller, second[lane]});
    top.first = larger;
  }
  while (values[top.index] != top.first && top.index + 1 < width) {
    ++top.index;
  }
  return top;
}

}  // namespace shiftcut

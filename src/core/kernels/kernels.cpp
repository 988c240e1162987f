// Dense arithmetic on rows. Sums run in a fixed order of lanes and blocks, so that every SIMD level
// rounds alike.
#include "core/kernels/kernels.hpp"

#include <algorithm>
#include <cstring>

#include "core/kernels/simd.hpp"

namespace shiftcut {

namespace {

SHIFTCUT_INLINE double total(const Vector<double>& v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

SHIFTCUT_INLINE float total(const Vector<float>& v) {
  float half[kPanel / 2];
  for (std::size_t lane = 0; lane < kPanel / 2; ++lane) {
    half[lane] = v[lane] + v[lane + kPanel / 2];
  }
  return ((half[0] + half[4]) + (half[2] + half[6])) + ((half[1] + half[5]) + (half[3] + half[7]));
}

// The sum over j of a term in a_j and b_j, in four independent strands of eight lanes.
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

// One panel of columns against `Rows` rows, with one accumulator vector per row (two for doubles).
// Prefetches the next rows, which may lie anywhere in memory.
template <int Rows, class T, class Add>
SHIFTCUT_INLINE void tile(const T* const* rows, const T* const* next_rows, std::size_t length,
                          const T* panel, T* out, std::size_t out_stride, Add add) {
  constexpr std::size_t kLanes = 64 / sizeof(T);
  for (std::size_t lane = 0; lane < kPanel; lane += kLanes) {
    for (std::size_t begin = 0; begin < length || begin == 0; begin += kSumBlock) {
      const std::size_t end = std::min(length, begin + kSumBlock);
      Vector<T> sums[Rows] = {};
      Vector<T> column;
      for (std::size_t j = begin; j < end; ++j) {
        if (next_rows != nullptr && j % kPanel == 0) {
          for (int r = 0; r < Rows; ++r) {
            __builtin_prefetch(next_rows[r] + j);
          }
        }
        load(column, panel + j * kPanel + lane);
        for (int r = 0; r < Rows; ++r) {
          const Vector<T> entry = rows[r][j] - Vector<T>{};
          add(sums[r], entry, column);
        }
      }
      for (int r = 0; r < Rows; ++r) {
        T* sum = out + static_cast<std::size_t>(r) * out_stride + lane;
        if (begin > 0) {
          load(column, sum);
          sums[r] += column;
        }
        std::memcpy(sum, &sums[r], 64);
      }
    }
  }
}

template <class T, class Add>
SHIFTCUT_INLINE void tiles(const T* const* rows, std::size_t row_count,
                           const PackedColumns<T>& columns, T* out, Add add) {
  constexpr int kRows = 6;  // the most accumulators that fit the registers of AVX2
  const std::size_t width = columns.width();
  const std::size_t length = columns.length();
  std::size_t r = 0;
  for (; r + kRows <= row_count; r += kRows) {
    const T* const* next = r + 2 * kRows <= row_count ? rows + r + kRows : nullptr;
    for (std::size_t k = 0; k < width; k += kPanel) {
      tile<kRows>(rows + r, k == 0 ? next : nullptr, length, columns.panel(k / kPanel),
                  out + r * width + k, width, add);
    }
  }
  if (r == row_count) {
    return;
  }
  // The rest is padded to a full tile: a single row would wait for the latency of every addition.
  const T* rest[kRows];
  T sums[kRows * kPanel];
  for (std::size_t i = 0; i < kRows; ++i) {
    rest[i] = rows[std::min(r + i, row_count - 1)];
  }
  for (std::size_t k = 0; k < width; k += kPanel) {
    tile<kRows>(rest, static_cast<const T* const*>(nullptr), length, columns.panel(k / kPanel),
                sums, kPanel, add);
    for (std::size_t i = r; i < row_count; ++i) {
      std::copy_n(sums + (i - r) * kPanel, kPanel, out + i * width + k);
    }
  }
}

template <class Sum, class T>
SHIFTCUT_INLINE void add_scaled_loop(Sum* __restrict y, Sum factor, const T* __restrict x,
                                     std::size_t length) {
  for (std::size_t j = 0; j < length; ++j) {
    y[j] += factor * static_cast<Sum>(x[j]);
  }
}

SHIFTCUT_INLINE void add_four_loop(double* __restrict y, double factor, const float* __restrict a,
                                   const float* __restrict b, const float* __restrict c,
                                   const float* __restrict d, std::size_t length) {
  for (std::size_t j = 0; j < length; ++j) {
    y[j] += factor * ((static_cast<double>(a[j]) + static_cast<double>(b[j])) +
                      (static_cast<double>(c[j]) + static_cast<double>(d[j])));
  }
}

template <class T>
SHIFTCUT_INLINE void squared_loop(double* __restrict sums, const T* __restrict x,
                                  const double* __restrict centre, std::size_t length) {
  for (std::size_t j = 0; j < length; ++j) {
    const double difference = static_cast<double>(x[j]) - centre[j];
    sums[j] += difference * difference;
  }
}

template <class Sum, class T>
SHIFTCUT_INLINE void move_loop(Sum* __restrict from, Sum* __restrict to, Sum factor,
                               const T* __restrict x, std::size_t length) {
  for (std::size_t j = 0; j < length; ++j) {
    const Sum step = factor * static_cast<Sum>(x[j]);
    from[j] -= step;
    to[j] += step;
  }
}

template <class To, class From>
SHIFTCUT_INLINE void scaled_loop(To* __restrict out, const From* __restrict x, double factor,
                                 std::size_t length) {
  for (std::size_t j = 0; j < length; ++j) {
    out[j] = static_cast<To>(factor * static_cast<double>(x[j]));
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

double dot(const double* a, const double* b, std::size_t length) {
  return run_simd([=]() SHIFTCUT_INLINED { return reduce(a, b, length, Product{}); });
}

double squared_distance(const double* a, const double* b, std::size_t length) {
  return run_simd([=]() SHIFTCUT_INLINED { return reduce(a, b, length, SquaredDifference{}); });
}

void add_scaled(double* y, double factor, const double* x, std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { add_scaled_loop(y, factor, x, length); });
}

void add_scaled(double* y, double factor, const float* x, std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { add_scaled_loop(y, factor, x, length); });
}

void add_scaled(float* y, float factor, const float* x, std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { add_scaled_loop(y, factor, x, length); });
}

void add_four(double* y, double factor, const float* const* rows, std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED {
    add_four_loop(y, factor, rows[0], rows[1], rows[2], rows[3], length);
  });
}

void sum_rows(float* y, const float* const* rows, std::size_t count, std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED {
    constexpr std::size_t kVectors = 4;
    std::size_t j = 0;
    Vector<float> entries;
    for (; j + kVectors * kPanel <= length; j += kVectors * kPanel) {
      Vector<float> sums[kVectors]{};
      for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t v = 0; v < kVectors; ++v) {
          load(entries, rows[r] + j + v * kPanel);
          sums[v] += entries;
        }
      }
      std::memcpy(y + j, sums, sizeof(sums));
    }
    for (; j + kPanel <= length; j += kPanel) {
      Vector<float> sum{};
      for (std::size_t r = 0; r < count; ++r) {
        load(entries, rows[r] + j);
        sum += entries;
      }
      std::memcpy(y + j, &sum, sizeof(sum));
    }
    for (; j < length; ++j) {
      y[j] = 0;
      for (std::size_t r = 0; r < count; ++r) {
        y[j] += rows[r][j];
      }
    }
  });
}

void add_squared_differences(double* sums, const double* x, const double* centre,
                             std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { squared_loop(sums, x, centre, length); });
}

void add_squared_differences(double* sums, const float* x, const double* centre,
                             std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { squared_loop(sums, x, centre, length); });
}

void move_between(double* from, double* to, double factor, const double* x, std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { move_loop(from, to, factor, x, length); });
}

void move_between(double* from, double* to, double factor, const float* x, std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { move_loop(from, to, factor, x, length); });
}

void move_between(float* from, float* to, const float* x, std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { move_loop(from, to, 1.0F, x, length); });
}

void narrow(float* out, const double* x, double factor, std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { scaled_loop(out, x, factor, length); });
}

void widen(double* out, const float* x, double factor, std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { scaled_loop(out, x, factor, length); });
}

void affine(double* out, const double* x, const double* offset, const double* factor,
            std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { affine_loop(out, x, offset, factor, length); });
}

void affine(double* out, const float* x, const double* offset, const double* factor,
            std::size_t length) {
  run_simd([=]() SHIFTCUT_INLINED { affine_loop(out, x, offset, factor, length); });
}

void tile_products(const float* const* rows, std::size_t row_count,
                   const PackedColumns<float>& columns, float* out) {
  run_simd([&]() SHIFTCUT_INLINED { tiles(rows, row_count, columns, out, Product{}); });
}

void tile_squared_distances(const double* const* rows, std::size_t row_count,
                            const PackedColumns<double>& columns, double* out) {
  run_simd([&]() SHIFTCUT_INLINED { tiles(rows, row_count, columns, out, SquaredDifference{}); });
}

void shift_rows(const float* rows, std::size_t row_count, std::size_t length, const float* shift,
                float* out, float* squared) {
  run_simd([=]() SHIFTCUT_INLINED {
    for (std::size_t r = 0; r < row_count; ++r) {
      Vector<float> sums{};
      Vector<float> value;
      Vector<float> step;
      std::size_t j = 0;
      for (; j + kPanel <= length; j += kPanel) {
        load(value, rows + r * length + j);
        load(step, shift + j);
        value += step;
        std::memcpy(out + r * length + j, &value, sizeof(value));
        sums += value * value;
      }
      float sum = total(sums);
      for (; j < length; ++j) {
        const float shifted = rows[r * length + j] + shift[j];
        out[r * length + j] = shifted;
        sum += shifted * shifted;
      }
      squared[r] = sum;
    }
  });
}

void squared_distances(const float* x, const float* rows, const std::uint32_t* ids,
                       std::size_t count, std::size_t length, float* out) {
  run_simd([=]() SHIFTCUT_INLINED {
    constexpr std::size_t kAhead = 4;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) {
        const float* next = rows + ids[i + kAhead] * length;
        for (std::size_t j = 0; j < std::min<std::size_t>(length, 4 * kPanel); j += kPanel) {
          __builtin_prefetch(next + j);
        }
      }
      const float* row = rows + ids[i] * length;
      Vector<float> sums{};
      Vector<float> a;
      Vector<float> b;
      std::size_t j = 0;
      for (; j + kPanel <= length; j += kPanel) {
        load(a, x + j);
        load(b, row + j);
        a -= b;
        sums += a * a;
      }
      float sum = total(sums);
      for (; j < length; ++j) {
        sum += (x[j] - row[j]) * (x[j] - row[j]);
      }
      out[i] = sum;
    }
  });
}

}  // namespace shiftcut

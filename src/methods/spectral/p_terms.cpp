// x^a = 2^(a log2 x). With x = 2^e m, m in [sqrt(1/2), sqrt(2)), and s = (m - 1) / (m + 1):
// log2 m = 2 / ln 2 (s + s^3 / 3 + s^5 / 5 + ...), s^2 < 0.03. The power of two is split into the
// nearest integer, which becomes the exponent, and a rest of at most 1/2, for which Taylor's series
// of 13 terms is exact to the last bit or so.
#include "methods/spectral/p_laplacian.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "core/kernels/simd.hpp"

namespace shiftcut::methods {

namespace {

constexpr std::size_t kTermLanes = 8;
using Doubles [[gnu::vector_size(64)]] = double;
using Words [[gnu::vector_size(64)]] = std::int64_t;
using Floats [[gnu::vector_size(32)]] = float;

constexpr double kTiny = 1e-300;  // smaller differences count as zero

// By reference: always inlined, so that vectors need no calling convention.
template <class To, class From>
SHIFTCUT_INLINE void copy_bits(To& to, const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  std::memcpy(&to, &from, sizeof(To));
}

// x <- x^a for x >= kTiny.
SHIFTCUT_INLINE void raise(Doubles& x, double a) {
  constexpr double kSeries[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                                1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
  constexpr double kLn2 = 0.69314718055994530942;
  Words bits;
  copy_bits(bits, x);
  Words exponent = bits >> 52;
  const Words significand = (bits & 0x000fffffffffffffLL) | 0x3ff0000000000000LL;
  Doubles m;
  copy_bits(m, significand);
  const Words upper = m > 1.4142135623730951;
  m = upper ? m * 0.5 : m;
  exponent -= upper;  // a mask of true is -1
  const Words shifted = exponent | 0x4330000000000000LL;
  Doubles e;
  copy_bits(e, shifted);
  e -= 0x1p52 + 1023;

  const Doubles s = (m - 1) / (m + 1);
  const Doubles z = s * s;
  Doubles series = z * 0 + kSeries[0];
  for (std::size_t k = 1; k < std::size(kSeries); ++k) {
    series = series * z + kSeries[k];
  }
  Doubles y = a * (e + 2 / kLn2 * s * series);
  y = y > 1000 ? y * 0 + 1000 : y;
  y = y < -1000 ? y * 0 - 1000 : y;

  const Doubles rounded = y + 0x1.8p52;  // the integer is in the low bits
  const Doubles rest = (y - (rounded - 0x1.8p52)) * kLn2;
  Doubles result = rest * 0 + 1;
  for (int k = 13; k > 0; --k) {
    result = result * rest * (1.0 / k) + 1;
  }
  Words scale;
  copy_bits(scale, rounded);
  Words result_bits;
  copy_bits(result_bits, result);
  result_bits += scale << 52;
  copy_bits(x, result_bits);
}

SHIFTCUT_INLINE double total(const Doubles& v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

// Up to kTermLanes numbers from p; the remaining lanes are `fill`.
SHIFTCUT_INLINE void load(Doubles& to, const double* p, std::size_t count, double fill) {
  if (count >= kTermLanes) {
    std::memcpy(&to, p, sizeof(to));
    return;
  }
  for (std::size_t lane = 0; lane < kTermLanes; ++lane) {
    to[lane] = lane < count ? p[lane] : fill;
  }
}

}  // namespace

RowSums row_sums(const double* w, const double* v, double at, double p, std::size_t length) {
  return run_simd([=]() SHIFTCUT_INLINED {
    Doubles powers = {};
    Doubles slopes = {};
    for (std::size_t j = 0; j < length; j += kTermLanes) {
      Doubles weight;
      Doubles other;
      load(weight, w + j, length - j, 0);
      load(other, v + j, length - j, at);
      const Doubles difference = at - other;
      const Doubles size = difference < 0 ? -difference : difference;
      Doubles power = size < kTiny ? size * 0 + kTiny : size;
      raise(power, p - 1);
      const Doubles slope = size < kTiny ? size * 0 : weight * power;
      powers += slope * size;
      slopes += difference < 0 ? -slope : slope;
    }
    return RowSums{total(powers), total(slopes)};
  });
}

double row_curvatures(const double* w, const double* v, double at, double p, double least,
                      float* out, std::size_t length) {
  return run_simd([=]() SHIFTCUT_INLINED {
    Doubles sum = {};
    for (std::size_t j = 0; j < length; j += kTermLanes) {
      Doubles weight;
      Doubles other;
      load(weight, w + j, length - j, 0);
      load(other, v + j, length - j, at);
      const Doubles difference = at - other;
      Doubles power = difference < 0 ? -difference : difference;
      power = power < least ? power * 0 + least : power;
      raise(power, p - 2);
      const Floats stored = __builtin_convertvector(weight * power, Floats);
      std::memcpy(out + j, &stored, std::min(kTermLanes, length - j) * sizeof(float));
      sum += __builtin_convertvector(stored, Doubles);  // rows of the Laplacian sum to 0
    }
    return total(sum);
  });
}

double dot_float(const float* a, const double* x, std::size_t length) {
  return run_simd([=]() SHIFTCUT_INLINED {
    double lanes[kTermLanes] = {};
    std::size_t j = 0;
    for (; j + kTermLanes <= length; j += kTermLanes) {
      for (std::size_t lane = 0; lane < kTermLanes; ++lane) {
        lanes[lane] += static_cast<double>(a[j + lane]) * x[j + lane];
      }
    }
    double sum = 0;
    for (; j < length; ++j) {
      sum += static_cast<double>(a[j]) * x[j];
    }
    for (const double lane : lanes) {
      sum += lane;
    }
    return sum;
  });
}

}  // namespace shiftcut::methods

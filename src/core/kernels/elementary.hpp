// Elementary functions that give the same bits everywhere: the C library's exp and log differ in
// the last place from one processor to the next. These are within two units in the last place.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace shiftcut {

inline constexpr double kLn2High = 0x1.62e42feep-1;  // has trailing zeros: n * kLn2High is exact
inline constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

/// e^x = 2^n e^r with r = x - n ln 2, |r| <= ln(2) / 2; Taylor's series for e^r.
inline double portable_exp(double x) {
  constexpr double kLargest = 709.79;
  constexpr double kSmallest = -745.14;
  if (!(x >= kSmallest && x <= kLargest)) {
    return x > 0 ? std::numeric_limits<double>::infinity() : (x < 0 ? 0.0 : x);
  }
  constexpr double kRound = 0x1.8p52;  // adding and subtracting it rounds to an integer
  const double n = (x * (1 / 0.69314718055994530942) + kRound) - kRound;
  const double r = (x - n * kLn2High) - n * kLn2Low;
  double series = 1;
  for (int k = 13; k > 0; --k) {
    series = 1 + series * r * (1.0 / k);
  }
  if (n >= -1021 && n <= 1022) {
    const auto scale = std::bit_cast<double>((static_cast<std::int64_t>(n) + 1023) << 52);
    return series * scale;
  }
  return std::ldexp(series, static_cast<int>(n));
}

/// log x = e ln 2 + log m with x = 2^e m, m in [sqrt(1/2), sqrt(2)), and with s = (m - 1) / (m + 1)
/// log m = 2 (s + s^3 / 3 + s^5 / 5 + ...).
inline double portable_log(double x) {
  if (!(x > 0) || std::isinf(x)) {
    return x == 0 ? -std::numeric_limits<double>::infinity() : (x > 0 ? x : std::nan(""));
  }
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752440) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double series = 0;
  for (int k = 21; k > 1; k -= 2) {
    series = (series + 1.0 / k) * z;
  }
  const double e = exponent;
  return e * kLn2High + (e * kLn2Low + (2 * s + 2 * s * series));
}

/// log(1 + x), accurate also where 1 + x is rounded.
inline double portable_log1p(double x) {
  const double sum = 1 + x;
  return sum == 1 || std::isinf(sum) ? x : portable_log(sum) * (x / (sum - 1));
}

/// tanh x, with an absolute error of a few units in the last place of 1.
inline double portable_tanh(double x) {
  const double size = 1 - 2 / (portable_exp(2 * std::abs(x)) + 1);
  return x < 0 ? -size : size;
}

}  // namespace shiftcut

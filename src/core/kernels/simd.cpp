// Which SIMD level this process uses: see simd.hpp.
#include "core/kernels/simd.hpp"

#include <cstdlib>
#include <optional>

#include "core/message.hpp"
#include "core/text.hpp"

namespace shiftcut {

namespace {

constexpr const char* kVariable = "SHIFTCUT_SIMD";

SimdLevel best_level() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return SimdLevel::v4;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) {
    return SimdLevel::v3;
  }
#endif
  return SimdLevel::v2;
}

// The level called `text`, if this processor supports it.
std::optional<SimdLevel> requested_level(std::string_view text) noexcept {
  for (const SimdLevel level : {SimdLevel::v2, SimdLevel::v3, SimdLevel::v4}) {
    if (name_of(level) == text && level <= best_level()) {
      return level;
    }
  }
  return std::nullopt;
}

SimdLevel chosen_level() noexcept {
  const char* text = std::getenv(kVariable);
  return text != nullptr ? requested_level(text).value_or(best_level()) : best_level();
}

}  // namespace

const SimdLevel kSimdLevel = chosen_level();

std::string_view name_of(SimdLevel level) {
  switch (level) {
    case SimdLevel::v4:
      return "v4";
    case SimdLevel::v3:
      return "v3";
    case SimdLevel::v2:
      break;
  }
  return "v2";
}

void check_simd_setting() {
  const char* text = std::getenv(kVariable);
  if (text != nullptr && !requested_level(text)) {
    refuse("out_of_range", "",
           "{}: found {}; allowed: v2, v3 or v4, of which this processor has v2 to {}", kVariable,
           quoted(text), name_of(best_level()));
  }
}

}  // namespace shiftcut

#include "core/memory.hpp"

#include <fstream>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace shiftcut {

std::size_t available_memory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  std::size_t kib = 0;
  std::string unit;
  while (meminfo >> key >> kib >> unit) {
    if (key == "MemAvailable:") {
      return kib * 1024;
    }
  }
  return std::numeric_limits<std::size_t>::max();
}

void require_square_fits(std::size_t n, const std::string& purpose, const std::string& advice) {
  const double needed = 8.0 * static_cast<double>(n) * static_cast<double>(n);
  const auto available = static_cast<double>(available_memory());
  if (needed > 0.8 * available) {
    throw std::runtime_error(fmt::format(
        "{} needs a {} x {} matrix of {:.1f} GB; found {:.1f} GB of free memory, of which at most "
        "four fifths are allowed; {}",
        purpose, n, n, needed / 1e9, available / 1e9, advice));
  }
}

}  // namespace shiftcut

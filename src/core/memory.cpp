#include "core/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace shiftcut {

namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

// What `ulimit -v` leaves of addresses.
std::size_t available_space() {
  rlimit space = {};
  std::size_t pages = 0;
  if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY ||
      !(std::ifstream("/proc/self/statm") >> pages)) {
    return kUnlimited;
  }
  const std::size_t used = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return space.rlim_cur > used ? space.rlim_cur - used : 0;
}

std::size_t free_memory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  std::size_t kib = 0;
  std::string unit;
  while (meminfo >> key >> kib >> unit) {
    if (key == "MemAvailable:") {
      return kib * 1024;
    }
  }
  return kUnlimited;
}

}  // namespace

std::size_t available_memory() { return std::min(free_memory(), available_space()); }

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

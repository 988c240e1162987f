#include "out_of_memory.hpp"

#include <sys/resource.h>

#include <cstring>
#include <optional>

#include <fmt/core.h>

namespace {

constexpr double kGigabyte = 1e9;

// Of resident memory, in gigabytes.
double peak() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / kGigabyte;
}

std::optional<double> limit() {
  rlimit space = {};
  if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) {
    return std::nullopt;
  }
  return static_cast<double>(space.rlim_cur) / kGigabyte;
}

std::string found() {
  const std::optional<double> most = limit();
  return most ? fmt::format("a limit of {:.2g} GB (ulimit -v)", *most)
              : fmt::format("no more than {:.2g} GB", peak());
}

}  // namespace

std::string out_of_memory(const std::bad_alloc& error) noexcept {
  try {
    const bool says_what = std::strcmp(error.what(), std::bad_alloc().what()) != 0;
    return fmt::format(
        "out of memory: found {}{}; try fewer --threads, --similarity linear, or a sample of the "
        "objects",
        found(), says_what ? fmt::format(", and no room for {}", error.what()) : "");
  } catch (const std::exception&) {
    return "";
  }
}

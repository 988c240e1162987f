#include "core/memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <stdexcept>

#include <fmt/core.h>

#include "core/message.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;

// Names the size that could not be had, without allocating.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::size_t bytes) {
    (void)std::snprintf(text_.data(), text_.size(), "an array of %.2g GB",
                        static_cast<double>(bytes) / 1e9);
  }
  [[nodiscard]] const char* what() const noexcept override { return text_.data(); }

 private:
  std::array<char, 40> text_{};
};

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

std::size_t left_of(std::size_t limit, std::size_t used) {
  return limit == kUnlimited ? kUnlimited : limit - std::min(limit, used);
}

std::size_t system_memory() {
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

// The number in a file; unlimited if there is none ("max", or no such file).
std::size_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : kUnlimited;
}

// The sum of two fields of memory.stat.
std::size_t cached_pages(const std::string& path, const char* first, const char* second) {
  std::ifstream stat(path);
  std::string key;
  std::size_t value = 0;
  std::size_t sum = 0;
  while (stat >> key >> value) {
    sum += key == first || key == second ? value : 0;
  }
  return sum;
}

std::size_t left_in_group(const std::string& folder, bool unified) {
  const std::size_t limit =
      number_in(folder + (unified ? "/memory.max" : "/memory.limit_in_bytes"));
  if (limit == kUnlimited) {
    return kUnlimited;
  }
  const std::size_t used =
      number_in(folder + (unified ? "/memory.current" : "/memory.usage_in_bytes"));
  const std::string stat = folder + "/memory.stat";
  const std::size_t cached = unified
                                 ? cached_pages(stat, "inactive_file", "active_file")
                                 : cached_pages(stat, "total_inactive_file", "total_active_file");
  return used == kUnlimited ? limit : left_of(limit, used - std::min(used, cached));
}

// From the group up to the root. Inside a container the path may be the host's; then only the mount
// itself exists, and holds the container's own group.
std::size_t left_up_the_tree(const std::string& mount, std::string path, bool unified) {
  std::size_t left = kUnlimited;
  while (path.size() > 1) {
    left = std::min(left, left_in_group(mount + path, unified));
    path.erase(path.find_last_of('/'));
  }
  return std::min(left, left_in_group(mount, unified));
}

// Fields of /proc/self/statm, in pages: 0 is the address space, 1 resident, 5 data and stack.
std::size_t bytes_in_use(int field) {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  for (int i = 0; i <= field; ++i) {
    statm >> pages;
  }
  return statm ? pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

std::size_t left_by_limit(auto resource, int field) {
  struct rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return kUnlimited;
  }
  return left_of(limit.rlim_cur, bytes_in_use(field));
}

}  // namespace

void FreePages::operator()(void* memory) const { std::free(memory); }

void* allocate_pages(std::size_t bytes) {
  const std::size_t alignment = bytes >= kHugePage ? kHugePage : 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
  if (memory == nullptr) {
    throw OutOfMemory(bytes);
  }
  if (bytes >= kHugePage) {
    (void)madvise(memory, rounded, MADV_HUGEPAGE);  // a hint: if it fails, only speed is lost
  }
  return memory;
}

std::size_t cgroup_memory(const std::string& cgroup_file, const std::string& mount) {
  std::ifstream file(cgroup_file);
  std::size_t left = kUnlimited;
  for (std::string line; std::getline(file, line);) {  // NUMBER:CONTROLLERS:PATH
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      left = std::min({left, left_up_the_tree(mount, path, true),
                       left_up_the_tree(mount + "/unified", path, true)});
    } else if (("," + controllers + ",").find(",memory,") != std::string::npos) {
      left = std::min(left, left_up_the_tree(mount + "/memory", path, false));
    }
  }
  return left;
}

std::size_t resident_memory() { return bytes_in_use(1); }

std::size_t available_memory() {
  return std::min({system_memory(), cgroup_memory("/proc/self/cgroup", "/sys/fs/cgroup"),
                   left_by_limit(RLIMIT_AS, 0), left_by_limit(RLIMIT_DATA, 5)});
}

void require_memory(double bytes, Message purpose, const std::string& advice) {
  const auto available = static_cast<double>(available_memory());
  if (bytes > 0.8 * available) {
    purpose.code = "not_enough_memory";
    purpose.text +=
        " of {} GB; found {} GB of free memory, of which at most four fifths are allowed; " +
        advice;
    purpose.facts.push_back(fmt::format("{:.1f}", bytes / 1e9));
    purpose.facts.push_back(fmt::format("{:.1f}", available / 1e9));
    throw ResourceError(std::move(purpose));
  }
}

void require_square_fits(std::size_t n, const std::string& purpose, const std::string& advice) {
  require_memory(8.0 * static_cast<double>(n) * static_cast<double>(n),
                 message("", "", purpose + " needs a {} x {} matrix", n, n), advice);
}

}  // namespace shiftcut

#include "methods/cluster_ids.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace shiftcut::methods {

std::vector<ClusterId> cluster_ids(std::span<const std::int32_t> labels, std::size_t n) {
  if (labels.size() != n) {
    throw std::invalid_argument(
        fmt::format("labels: found {}; allowed: {}, one per object", labels.size(), n));
  }
  for (const std::int32_t label : labels) {
    if (label < 0 || static_cast<std::size_t>(label) >= n) {
      throw std::invalid_argument(fmt::format("labels: found {}; allowed: 0 to {}", label, n - 1));
    }
  }
  return {labels.begin(), labels.end()};
}

}  // namespace shiftcut::methods

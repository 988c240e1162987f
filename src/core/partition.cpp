#include "core/partition.hpp"

#include <algorithm>

namespace shiftcut {

Partition by_decreasing_size(std::span<const ClusterId> labels) {
  // Number clusters in the order of their first objects, so that the stable sort breaks ties so.
  Partition result;
  result.labels.resize(labels.size());
  std::vector<std::size_t> sizes;
  const ClusterId slots = labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()) + 1;
  std::vector<std::int32_t> index(slots, -1);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::int32_t& k = index[labels[i]];
    if (k < 0) {
      k = static_cast<std::int32_t>(sizes.size());
      sizes.push_back(0);
    }
    result.labels[i] = k;
    ++sizes[static_cast<std::size_t>(k)];
  }

  std::vector<std::size_t> order(sizes.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    order[k] = k;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });

  std::vector<std::int32_t> rank(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    rank[order[k]] = static_cast<std::int32_t>(k);
    result.sizes.push_back(sizes[order[k]]);
  }
  for (std::int32_t& label : result.labels) {
    label = rank[static_cast<std::size_t>(label)];
  }
  return result;
}

}  // namespace shiftcut

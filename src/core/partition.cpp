#include "core/partition.hpp"

#include <algorithm>

namespace shiftcut {

Partition by_decreasing_size(std::span<const ClusterId> labels) {
  std::vector<double> sizes;
  for (const ClusterId label : labels) {
    sizes.resize(std::max<std::size_t>(sizes.size(), label + std::size_t{1}), 0.0);
    sizes[label] += 1;
  }
  return by_decreasing_weight(labels, sizes);
}

Partition by_decreasing_weight(std::span<const ClusterId> labels, std::span<const double> weights) {
  // Number clusters in the order of their first objects, so that the stable sort breaks ties so.
  Partition result;
  result.labels.assign(labels.size(), -1);
  std::vector<ClusterId> order;
  std::vector<std::size_t> sizes(weights.size(), 0);
  for (const ClusterId label : labels) {
    if (label != kNoCluster && sizes[label]++ == 0) {
      order.push_back(label);
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](ClusterId a, ClusterId b) { return weights[a] > weights[b]; });

  std::vector<std::int32_t> rank(weights.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k) {
    rank[order[k]] = static_cast<std::int32_t>(k);
    result.sizes.push_back(sizes[order[k]]);
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != kNoCluster) {
      result.labels[i] = rank[labels[i]];
    }
  }
  return result;
}

}  // namespace shiftcut

#include "sizes/size_bounds.hpp"

#include <algorithm>

namespace shiftcut {

ClusterNumbers possible_numbers(const SizeBounds& bounds, std::size_t n) {
  const std::size_t fewest =
      bounds.most == SizeBounds::kNoLimit ? 1 : (n + bounds.most - 1) / bounds.most;
  const std::size_t most = n / std::max<std::size_t>(1, bounds.least);
  if (!bounds.clusters) {
    return {fewest, most};
  }
  const std::size_t k = *bounds.clusters;
  if (bounds.least == 0) {
    return {fewest, std::min(k, most)};
  }
  return k >= fewest && k <= most ? ClusterNumbers{k, k} : ClusterNumbers{};
}

SizeBounds contracted(SizeBounds bounds, const Constraints& constraints) {
  std::vector<std::uint32_t> counts(constraints.nodes, 0);
  for (ObjectId i = 0; i < constraints.node_of.size(); ++i) {
    counts[constraints.node_of[i]] += static_cast<std::uint32_t>(bounds.count(i));
  }
  bounds.counts = std::move(counts);
  return bounds;
}

std::vector<std::size_t> sizes_of(std::span<const ClusterId> labels, const SizeBounds& bounds) {
  std::vector<std::size_t> sizes(bounds.clusters.value_or(0), 0);
  for (ObjectId i = 0; i < labels.size(); ++i) {
    if (labels[i] >= sizes.size()) {
      sizes.resize(labels[i] + std::size_t{1}, 0);
    }
    sizes[labels[i]] += bounds.count(i);
  }
  return sizes;
}

bool within_bounds(std::span<const ClusterId> labels, const SizeBounds& bounds) {
  const std::vector<std::size_t> sizes = sizes_of(labels, bounds);
  return (!bounds.clusters || sizes.size() <= *bounds.clusters) &&
         std::ranges::all_of(sizes, [&](std::size_t size) { return bounds.allow(size); });
}

}  // namespace shiftcut

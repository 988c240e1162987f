#include "core/keep_numbers.hpp"

#include <algorithm>
#include <unordered_map>

namespace shiftcut {

std::size_t keep_numbers(std::span<const std::int32_t> before, std::span<std::int32_t> labels,
                         std::span<const std::uint32_t> weights) {
  const auto weight = [&](std::size_t i) {
    return weights.empty() ? std::size_t{1} : std::size_t{weights[i]};
  };
  std::unordered_map<std::uint64_t, std::size_t> shared;
  std::int32_t last = -1;
  std::size_t all = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    last = std::max({last, before[i], labels[i]});
    all += weight(i);
    if (before[i] >= 0 && labels[i] >= 0) {
      shared[static_cast<std::uint64_t>(before[i]) << 32 | static_cast<std::uint32_t>(labels[i])] +=
          weight(i);
    }
  }
  struct Overlap {
    std::size_t count;
    std::uint64_t key;
  };
  std::vector<Overlap> overlaps;
  overlaps.reserve(shared.size());
  for (const auto& [key, count] : shared) {
    overlaps.push_back({count, key});
  }
  std::sort(overlaps.begin(), overlaps.end(), [](const Overlap& a, const Overlap& b) {
    return a.count != b.count ? a.count > b.count : a.key < b.key;
  });
  const auto clusters = static_cast<std::size_t>(last) + 1;
  std::vector<std::int32_t> number(clusters, -1);  // of a new cluster
  std::vector<bool> taken(clusters, false);
  std::size_t same = 0;
  for (const Overlap& overlap : overlaps) {
    const auto old = static_cast<std::size_t>(overlap.key >> 32);
    const auto now = static_cast<std::size_t>(overlap.key & 0xffffffffU);
    if (number[now] < 0 && !taken[old]) {
      number[now] = static_cast<std::int32_t>(old);
      taken[old] = true;
      same += overlap.count;
    }
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0) {
      same += before[i] < 0 ? weight(i) : 0;
      continue;
    }
    std::int32_t& to = number[static_cast<std::size_t>(labels[i])];
    if (to < 0) {
      while (taken[next]) {
        ++next;
      }
      taken[next] = true;
      to = static_cast<std::int32_t>(next);
    }
    labels[i] = to;
  }
  return all - same;
}

}  // namespace shiftcut

#include "methods/spectral/recursive_split.hpp"

#include <limits>
#include <numeric>
#include <utility>

#include "core/work_meter.hpp"

namespace shiftcut::methods {

namespace {

struct SplitCluster {
  std::vector<ObjectId> members;
  std::optional<Split> split;
};

// Removes the cluster whose split costs least, and returns the split; none if no cluster has one.
std::optional<Split> take_cheapest(std::vector<SplitCluster>& clusters) {
  auto best = clusters.end();
  double least = std::numeric_limits<double>::infinity();
  for (auto cluster = clusters.begin(); cluster != clusters.end(); ++cluster) {
    const std::optional<Split>& split = cluster->split;
    if (split.has_value() && split->change < least) {
      least = split->change;
      best = cluster;
    }
  }
  if (best == clusters.end()) {
    return std::nullopt;
  }
  std::optional<Split> split = std::move(best->split);
  clusters.erase(best);
  return split;
}

Labels labels_of(std::size_t n, const std::vector<SplitCluster>& clusters) {
  std::vector<std::size_t> cluster_of(n);
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    for (const ObjectId member : clusters[k].members) {
      cluster_of[member] = k;
    }
  }
  std::vector<std::int32_t> number(clusters.size(), -1);
  std::int32_t next = 0;
  Labels labels(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::int32_t& label = number[cluster_of[i]];
    label = label < 0 ? next++ : label;
    labels[i] = label;
  }
  return labels;
}

}  // namespace

Split split_by_side(std::span<const ObjectId> members, const std::vector<bool>& on_left) {
  Split split;
  for (std::size_t i = 0; i < members.size(); ++i) {
    (on_left[i] ? split.left : split.right).push_back(members[i]);
  }
  return split;
}

Labels split_recursively(std::size_t n, std::size_t clusters, const BestSplit& best_split,
                         std::string_view phase, const Control& control) {
  WorkMeter meter(control, phase, clusters > 1 ? 2 * clusters - 3 : 0);
  std::vector<SplitCluster> parts;
  const auto add = [&](std::vector<ObjectId> members) {
    if (control.stop_requested()) {
      throw Interrupted();
    }
    SplitCluster cluster{std::move(members), std::nullopt};
    if (cluster.members.size() > 1) {
      cluster.split = best_split(cluster.members);
    }
    meter.add();
    parts.push_back(std::move(cluster));
  };

  if (clusters < 2) {
    return Labels(n, 0);
  }
  std::vector<ObjectId> all(n);
  std::iota(all.begin(), all.end(), ObjectId{0});
  add(std::move(all));
  while (auto split = take_cheapest(parts)) {
    if (parts.size() + 2 == clusters) {  // nobody asks for splits of the last two
      parts.push_back({std::move(split->left), std::nullopt});
      parts.push_back({std::move(split->right), std::nullopt});
      break;
    }
    add(std::move(split->left));
    add(std::move(split->right));
  }
  return labels_of(n, parts);
}

}  // namespace shiftcut::methods

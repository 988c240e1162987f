#include "methods/spectral/recursive_split.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/work_meter.hpp"
#include "methods/operations.hpp"

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
  Labels labels(n);
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    for (const ObjectId member : clusters[k].members) {
      labels[member] = static_cast<std::int32_t>(k);
    }
  }
  number_by_first_object(labels);
  return labels;
}

}  // namespace

std::vector<ObjectId> ascending(std::span<const double> values) {
  std::vector<ObjectId> order(values.size());
  std::iota(order.begin(), order.end(), ObjectId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](ObjectId a, ObjectId b) { return values[a] < values[b]; });
  return order;
}

// Moving object i to the left adds its similarities to those that stay and removes those to the
// objects moved before: a sum over row i alone, once the places in the order are known.
std::vector<double> cuts_along(const Similarities& similarities, std::span<const ObjectId> order,
                               ThreadTeam& team) {
  const std::size_t n = order.size();
  std::vector<ObjectId> place(n);
  for (std::size_t t = 0; t < n; ++t) {
    place[order[t]] = static_cast<ObjectId>(t);
  }
  std::vector<double> change(n);  // by place
  for_rows(n, team, [&](std::size_t i) {
    const ObjectId own = place[i];
    double sum = 0;
    for_row(similarities, i, [&](std::size_t j, double value) {
      sum += place[j] > own ? value : (place[j] < own ? -value : 0);
    });
    change[own] = sum;
  });
  std::vector<double> cuts(n > 0 ? n - 1 : 0);
  double cut = 0;
  for (std::size_t t = 0; t + 1 < n; ++t) {
    cut += change[t];
    cuts[t] = std::max(cut, 0.0);  // rounding
  }
  return cuts;
}

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
    if (parts.size() + 2 == clusters) {  // the last two need no splits of their own
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

#include "shiftcut/path_labels.hpp"

#include <map>
#include <utility>

#include "core/keep_numbers.hpp"

namespace shiftcut {

namespace {

std::vector<std::uint32_t> objects_of_nodes(const PathLabels& path) {
  std::vector<std::uint32_t> counts(path.of_nodes.empty() ? 0 : path.of_nodes.front().size(), 0);
  for (const std::uint32_t node : path.node_of) {
    if (node != PathLabels::kNoNode) {
      ++counts[node];
    }
  }
  return counts;
}

// The labels that most objects of each node have would do, but nodes may be split: the first.
std::vector<std::int32_t> labels_of_nodes(const PathLabels& path,
                                          std::span<const std::int32_t> labels) {
  std::vector<std::int32_t> of_nodes(path.of_nodes.front().size(), -1);
  for (std::size_t i = path.node_of.size(); i-- > 0;) {
    if (path.node_of[i] != PathLabels::kNoNode) {
      of_nodes[path.node_of[i]] = labels[i];
    }
  }
  return of_nodes;
}

}  // namespace

std::vector<std::int32_t> labels_at_point(const PathLabels& path, std::size_t point) {
  const std::vector<std::int32_t>& of_nodes = path.of_nodes[point];
  std::vector<std::int32_t> labels(path.node_of.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::uint32_t node = path.node_of[i];
    labels[i] = node == PathLabels::kNoNode ? -1 : of_nodes[node];
  }
  return labels;
}

PathLabels numbered_after(const PathLabels& path, std::size_t point,
                          std::span<const std::int32_t> labels) {
  PathLabels out = path;
  const std::vector<std::uint32_t> counts = objects_of_nodes(path);
  keep_numbers(labels_of_nodes(path, labels), out.of_nodes[point], counts);
  for (std::size_t p = point + 1; p < out.points(); ++p) {
    keep_numbers(out.of_nodes[p - 1], out.of_nodes[p], counts);
  }
  for (std::size_t p = point; p-- > 0;) {
    keep_numbers(out.of_nodes[p + 1], out.of_nodes[p], counts);
  }
  return out;
}

std::vector<Flow> flows_from(const PathLabels& path, std::size_t point) {
  const std::vector<std::uint32_t> counts = objects_of_nodes(path);
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> sums;
  for (std::size_t node = 0; node < counts.size(); ++node) {
    sums[{path.of_nodes[point][node], path.of_nodes[point + 1][node]}] += counts[node];
  }
  std::vector<Flow> flows;
  for (const auto& [pair, objects] : sums) {
    if (objects > 0) {
      flows.push_back({pair.first, pair.second, objects});
    }
  }
  return flows;
}

}  // namespace shiftcut

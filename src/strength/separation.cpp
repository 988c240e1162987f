#include "strength/separation.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/kernels/elementary.hpp"
#include "strength/tree_cuts.hpp"

namespace shiftcut {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The logarithm of each object's distance to its last neighbour; of objects without one, or with
/// one at distance 0, the mean of the others.
std::vector<double> log_radii(const NeighborDistances& distances) {
  const NeighborTable& table = *distances.table;
  std::vector<double> squared(table.objects, 0.0);
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < table.objects; ++i) {
    for (std::size_t at = i * table.places; at < (i + 1) * table.places; ++at) {
      squared[i] = table.ids[at] != kNobody ? distances.squared[at] : squared[i];
    }
    if (squared[i] > 0) {
      sum += portable_log(squared[i]) / 2;
      count += 1;
    }
  }
  std::vector<double> radii(table.objects, count > 0 ? sum / count : 0.0);
  for (std::size_t i = 0; i < table.objects; ++i) {
    if (squared[i] > 0) {
      radii[i] = portable_log(squared[i]) / 2;
    }
  }
  return radii;
}

std::vector<double> means_of(std::span<const double> values, std::span<const ClusterId> labels) {
  const std::size_t clusters = *std::ranges::max_element(labels) + std::size_t{1};
  std::vector<double> mean(clusters, 0.0);
  std::vector<double> count(clusters, 0.0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    mean[labels[i]] += values[i];
    count[labels[i]] += 1;
  }
  for (std::size_t k = 0; k < clusters; ++k) {
    mean[k] /= std::max(1.0, count[k]);
  }
  return mean;
}

bool have_weight(std::span<const Volume> nodes, std::span<const ClusterId> labels,
                 std::size_t clusters, double least) {
  std::vector<double> weight(clusters, 0.0);
  for (std::size_t v = 0; v < labels.size(); ++v) {
    weight[labels[v]] += nodes[v].size;
  }
  return std::ranges::all_of(weight, [&](double piece) { return piece >= least; });
}

}  // namespace

double density_dip(const NeighborDistances& distances, std::span<const ClusterId> labels,
                   double dimension) {
  const NeighborTable& table = *distances.table;
  const std::vector<double> radii = log_radii(distances);
  const std::vector<double> means = means_of(radii, labels);
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < table.objects; ++i) {
    for (std::size_t at = i * table.places; at < (i + 1) * table.places; ++at) {
      const ObjectId j = table.ids[at];
      if (j != kNobody && labels[i] != labels[j]) {
        sum += (radii[i] + radii[j]) / 2 - std::max(means[labels[i]], means[labels[j]]);
        count += 1;
      }
    }
  }
  return count > 0 ? dimension * sum / count : kInfinity;
}

TreeGap widest_gap(std::span<const TreeEdge> tree, std::span<const Volume> nodes,
                   std::size_t most_points) {
  constexpr double kLeastWeight = 2;
  TreeGap widest;
  for (std::size_t cut = 1; cut <= tree.size(); ++cut) {
    const std::vector<ClusterId> labels = cut_tree(tree, nodes, cut + 1, 0);
    if (!have_weight(nodes, labels, cut + 1, kLeastWeight)) {
      break;  // neither have the pieces of further cuts
    }
    const bool are_points = cut == tree.size();
    if (are_points && nodes.size() > most_points) {
      break;
    }
    const double shorter = are_points ? 0.0 : tree[cut].length;
    const double ratio = shorter > 0 ? tree[cut - 1].length / shorter : kInfinity;
    if (ratio > widest.ratio) {
      widest = {cut + 1, ratio};
    }
  }
  return widest;
}

}  // namespace shiftcut

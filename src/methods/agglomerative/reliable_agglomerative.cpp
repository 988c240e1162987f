#include <cmath>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

#include "core/memory.hpp"
#include "core/work_meter.hpp"
#include "methods/agglomerative/merging_table.hpp"
#include "shiftcut/methods/agglomerative.hpp"

namespace shiftcut::methods {

namespace {

constexpr double kLargest = 1e150;  // its square, times the number of objects, is finite

void check_distances(const DenseArray& distances) {
  const std::size_t n = distances.rows();
  if (n == 0 || n != distances.columns()) {
    throw std::invalid_argument(fmt::format(
        "distances: found {} x {}; allowed: n x n, of one object or more", n, distances.columns()));
  }
  if (distances.is_float32()) {
    throw std::invalid_argument("distances: found float32; allowed: float64");
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double d = distances.f64()[i * n + j];
      if (!(d >= 0 && d <= kLargest)) {
        throw std::invalid_argument(fmt::format(
            "distances: found {} between objects {} and {}; allowed: 0 to {}", d, i, j, kLargest));
      }
    }
  }
}

}  // namespace

Linkage linkage_named(std::string_view name) {
  if (name == "single") {
    return Linkage::single;
  }
  if (name == "complete") {
    return Linkage::complete;
  }
  if (name == "average") {
    return Linkage::average;
  }
  if (name == "ward") {
    return Linkage::ward;
  }
  throw std::invalid_argument(fmt::format(
      "linkage: found '{}'; allowed: single, complete, average, ward{}", name,
      name == "centroid" || name == "median"
          ? " (this one is not reducible: a merge may bring other clusters nearer, so merging all "
            "mutual nearest pairs at once would build another tree)"
          : ""));
}

AgglomerativeTree reliable_agglomerative(const DenseArray& distances,
                                         const AgglomerativeOptions& options,
                                         const Control& control) {
  check_distances(distances);
  const std::size_t n = distances.rows();
  require_square_fits(n, "agglomerative clustering", "cluster fewer objects");
  ThreadTeam team(options.threads);
  WorkMeter meter(control, "merging", n - 1);
  MergingTable table(distances, options, team);

  AgglomerativeTree tree{n, {}};
  tree.merges.reserve(n - 1);
  std::vector<Merge> merged;
  for (int round = 1; table.clusters() > 1; ++round) {
    table.merge_round(merged, control);
    for (Merge& merge : merged) {
      merge.round = round;
      if (options.linkage == Linkage::ward) {
        const double squared = std::max(merge.height, 0.0);
        merge.height = options.squared ? squared : std::sqrt(squared);
      }
    }
    tree.merges.insert(tree.merges.end(), merged.begin(), merged.end());
    meter.add(merged.size());
  }
  return tree;
}

}  // namespace shiftcut::methods

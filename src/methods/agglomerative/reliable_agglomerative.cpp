#include "shiftcut/methods/agglomerative.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/memory.hpp"
#include "core/message.hpp"
#include "core/partition.hpp"
#include "core/work_meter.hpp"
#include "methods/agglomerative/distance_table.hpp"

namespace shiftcut::methods {

namespace {

constexpr double kLargest = 1e150;  // its square, times the number of objects, is finite

void check_distances(const DenseArray& distances) {
  const std::size_t n = distances.rows();
  if (n == 0 || n != distances.columns()) {
    refuse("wrong_length", "", "distances: found {} x {}; allowed: n x n, of one object or more", n,
           distances.columns());
  }
  if (distances.is_float32()) {
    refuse("bad_input", "", "distances: found float32; allowed: float64");
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double d = distances.f64()[i * n + j];
      if (!(d >= 0 && d <= kLargest)) {
        refuse("out_of_range", "",
               "distances: found {} between objects {} and {}; allowed: 0 to {}", d, i, j,
               kLargest);
      }
    }
  }
}

// Union-find with path halving (Tarjan 1975).
class UnionFind {
 public:
  explicit UnionFind(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }

  std::uint32_t root(std::uint32_t object) {
    while (parent_[object] != object) {
      parent_[object] = parent_[parent_[object]];
      object = parent_[object];
    }
    return object;
  }
  /// The root of `first` becomes that of both.
  void join(std::uint32_t first, std::uint32_t second) { parent_[root(second)] = root(first); }

 private:
  std::vector<std::uint32_t> parent_;
};

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
  refuse(
      "unknown_word", "", "linkage: found '{}'; allowed: single, complete, average, ward{}", name,
      name == "centroid" || name == "median"
          ? " (this one is not reducible: a merge may bring other clusters nearer, so merging all "
            "mutual nearest pairs at once would build another tree)"
          : "");
}

AgglomerativeTree reliable_agglomerative(const DenseArray& distances,
                                         const AgglomerativeOptions& options,
                                         const Control& control) {
  check_distances(distances);
  const std::size_t n = distances.rows();
  require_square_fits(n, "agglomerative clustering", "cluster fewer objects");
  ThreadTeam team(options.threads);
  WorkMeter meter(control, "merging", n - 1);
  DistanceTable table(distances, options, team);

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

// Children precede their parents: the sort is stable, so of equal heights the earlier round comes
// first. Where rounding puts a parent below its child, the two swap places in the tree.
LinkageMatrix linkage_matrix(const AgglomerativeTree& tree) {
  std::vector<Merge> merges = tree.merges;
  std::stable_sort(merges.begin(), merges.end(),
                   [](const Merge& a, const Merge& b) { return a.height < b.height; });
  LinkageMatrix matrix;
  matrix.rows.reserve(merges.size() * 4);
  matrix.rounds.reserve(merges.size());
  UnionFind joined(tree.objects);
  std::vector<std::size_t> cluster(tree.objects);  // of a root
  std::iota(cluster.begin(), cluster.end(), std::size_t{0});
  std::vector<double> sizes(tree.objects, 1.0);  // of a root
  std::size_t next = tree.objects;
  for (const Merge& merge : merges) {
    const std::uint32_t a = joined.root(merge.first);
    const std::uint32_t b = joined.root(merge.second);
    const auto [low, high] = std::minmax(cluster[a], cluster[b]);
    sizes[a] += sizes[b];
    matrix.rows.insert(matrix.rows.end(), {static_cast<double>(low), static_cast<double>(high),
                                           merge.height, sizes[a]});
    matrix.rounds.push_back(merge.round);
    joined.join(a, b);
    cluster[a] = next++;
  }
  return matrix;
}

Labels labels_at(const AgglomerativeTree& tree, std::size_t clusters) {
  if (clusters < 1 || clusters > tree.objects) {
    refuse("out_of_range", "", "clusters: found {}; allowed: 1 to {}, the number of objects",
           clusters, tree.objects);
  }
  UnionFind joined(tree.objects);
  for (std::size_t t = 0; t < tree.objects - clusters; ++t) {
    joined.join(tree.merges[t].first, tree.merges[t].second);
  }
  std::vector<ClusterId> roots(tree.objects);
  for (std::uint32_t i = 0; i < tree.objects; ++i) {
    roots[i] = joined.root(i);
  }
  return by_decreasing_size(roots).labels;
}

}  // namespace shiftcut::methods

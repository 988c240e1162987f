#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

#include "core/partition.hpp"
#include "shiftcut/methods/agglomerative.hpp"

namespace shiftcut::methods {

namespace {

// Which cluster an object is in, while clusters are joined (Tarjan 1975, paths halved).
class Joined {
 public:
  explicit Joined(std::size_t n) : parent_(n) {
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

// Children stand before their parents: of equal heights the earlier round comes first, and where
// rounding has put a parent below its child, the two swap their places in the tree.
LinkageMatrix linkage_matrix(const AgglomerativeTree& tree) {
  std::vector<Merge> merges = tree.merges;
  std::stable_sort(merges.begin(), merges.end(),
                   [](const Merge& a, const Merge& b) { return a.height < b.height; });
  LinkageMatrix matrix;
  matrix.rows.reserve(merges.size() * 4);
  matrix.rounds.reserve(merges.size());
  Joined joined(tree.objects);
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
    throw std::invalid_argument(fmt::format(
        "clusters: found {}; allowed: 1 to {}, the number of objects", clusters, tree.objects));
  }
  Joined joined(tree.objects);
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

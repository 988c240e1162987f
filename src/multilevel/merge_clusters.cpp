// Greedy merging: from every node a cluster of its own down to at most K, each time the pair a, b
// with the largest S(a, b), which is half of what the merge takes off the cost.

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "multilevel/multilevel.hpp"
#include "multilevel/tuning.hpp"

namespace shiftcut {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// Clusters of nodes while they are merged.
class Merging {
 public:
  explicit Merging(const SparseLevel& level)
      : terms_(level.nodes().terms),
        volume_(level.nodes().volume),
        into_(level.size()),
        left_(level.size()) {
    std::iota(into_.begin(), into_.end(), ClusterId{0});
  }

  [[nodiscard]] std::size_t left() const { return left_; }
  [[nodiscard]] double size(ClusterId a) const { return volume_[a].size; }
  [[nodiscard]] bool is_left(ClusterId a) const { return into_[a] == a; }

  // S(a, b), from the weight between the two.
  [[nodiscard]] double between(ClusterId a, ClusterId b, double weight) const {
    return weight - terms_.flat * volume_[a].size * volume_[b].size -
           terms_.per_degree *
               (volume_[b].size * volume_[a].degree + volume_[a].size * volume_[b].degree) -
           terms_.per_product * volume_[a].degree * volume_[b].degree;
  }
  // b becomes part of a.
  void merge(ClusterId a, ClusterId b) {
    volume_[a].size += volume_[b].size;
    volume_[a].degree += volume_[b].degree;
    into_[b] = a;
    --left_;
  }
  std::vector<ClusterId> labels() {
    for (ClusterId v = 0; v < into_.size(); ++v) {
      ClusterId root = v;
      while (into_[root] != root) {
        root = into_[root] = into_[into_[root]];
      }
      into_[v] = root;
    }
    compact_labels(into_);
    return into_;
  }

 private:
  ShiftTerms terms_;
  PagedVector<Volume> volume_;
  std::vector<ClusterId> into_;
  std::size_t left_;
};

// All pairs in a matrix; each row keeps its best partner of a higher number. When that partner is
// merged, the row keeps its score as a bound and searches for another only once that is highest.
void merge_all_pairs(const SparseLevel& level, std::size_t clusters, Merging& merging,
                     StopCheck& stop) {
  const std::size_t m = level.size();
  std::vector<double> weight(m * m, 0.0);
  for (ObjectId v = 0; v < m; ++v) {
    level.for_each_edge(v, [&](ObjectId u, double w) { weight[v * m + u] = w; });
  }
  std::vector<ClusterId> left(m);
  std::iota(left.begin(), left.end(), ClusterId{0});
  std::vector<double> best(m, kNone);
  std::vector<ClusterId> partner(m, kNoCluster);
  std::vector<bool> is_bound(m, false);  // best is an upper bound only
  const auto find_partner = [&](ClusterId a) {
    best[a] = kNone;
    partner[a] = kNoCluster;
    is_bound[a] = false;
    for (const ClusterId b : left) {
      if (b > a) {
        const double score = merging.between(a, b, weight[a * m + b]);
        if (score > best[a]) {
          best[a] = score;
          partner[a] = b;
        }
      }
    }
  };
  for (const ClusterId a : left) {
    find_partner(a);
  }
  while (left.size() > 1 && !stop.should_stop()) {
    const ClusterId a = *std::max_element(left.begin(), left.end(), [&](ClusterId x, ClusterId y) {
      return best[x] < best[y] || (best[x] == best[y] && x > y);
    });
    if (is_bound[a]) {
      find_partner(a);
      continue;
    }
    const ClusterId b = partner[a];
    if (b == kNoCluster ||
        (left.size() <= clusters && !(merging.between(a, b, weight[a * m + b]) > 0))) {
      break;
    }
    merging.merge(a, b);
    left.erase(std::find(left.begin(), left.end(), b));
    for (const ClusterId c : left) {
      if (c != a) {
        weight[a * m + c] += weight[b * m + c];
        weight[c * m + a] = weight[a * m + c];
      }
    }
    find_partner(a);
    for (const ClusterId c : left) {
      if (c == a) {
        continue;
      }
      const double score = c < a ? merging.between(c, a, weight[c * m + a]) : kNone;
      if (score > best[c]) {
        best[c] = score;
        partner[c] = a;
        is_bound[c] = false;
      } else if (partner[c] == a || partner[c] == b) {
        is_bound[c] = true;
      }
    }
  }
}

// Pairs with an edge, in a heap whose entries may be out of date.
void merge_along_edges(const SparseLevel& level, std::size_t clusters, Merging& merging,
                       StopCheck& stop) {
  using Entry = std::tuple<double, ClusterId, ClusterId, std::uint32_t, std::uint32_t>;
  const std::size_t m = level.size();
  std::vector<std::unordered_map<ClusterId, double>> edges(m);
  std::vector<std::uint32_t> version(m, 0);
  std::priority_queue<Entry> heap;
  const auto push = [&](ClusterId a, ClusterId b, double weight) {
    if (b < a) {
      std::swap(a, b);
    }
    heap.emplace(merging.between(a, b, weight), a, b, version[a], version[b]);
  };
  for (ObjectId v = 0; v < m; ++v) {
    level.for_each_edge(v, [&](ObjectId u, double w) {
      edges[v].emplace(u, w);
      if (v < u) {
        push(v, u, w);
      }
    });
  }
  while (merging.left() > clusters && !heap.empty() && !stop.should_stop()) {
    auto [score, a, b, version_a, version_b] = heap.top();
    heap.pop();
    if (!merging.is_left(a) || !merging.is_left(b) || version[a] != version_a ||
        version[b] != version_b) {
      continue;
    }
    if (edges[a].size() < edges[b].size()) {
      std::swap(a, b);
    }
    merging.merge(a, b);
    edges[a].erase(b);
    for (const auto& [c, weight] : edges[b]) {
      if (c != a) {
        edges[a][c] += weight;
        edges[c].erase(b);
        edges[c][a] = edges[a][c];
      }
    }
    edges[b].clear();
    ++version[a];
    for (const auto& [c, weight] : edges[a]) {
      push(a, c, weight);
    }
  }
}

// Clusters without edges between them: the two smallest, repeatedly.
void merge_smallest(std::size_t nodes, std::size_t clusters, Merging& merging) {
  using Entry = std::pair<double, ClusterId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> smallest;
  for (ClusterId a = 0; a < nodes; ++a) {
    if (merging.is_left(a)) {
      smallest.emplace(merging.size(a), a);
    }
  }
  while (merging.left() > clusters) {
    const ClusterId b = smallest.top().second;
    smallest.pop();
    const ClusterId a = smallest.top().second;
    smallest.pop();
    merging.merge(a, b);
    smallest.emplace(merging.size(a), a);
  }
}

}  // namespace

std::vector<ClusterId> merge_clusters(const SparseLevel& level, std::size_t clusters,
                                      StopCheck& stop) {
  Merging merging(level);
  if (level.size() <= kMergeAllPairs) {
    merge_all_pairs(level, clusters, merging, stop);
  } else {
    merge_along_edges(level, clusters, merging, stop);
  }
  merge_smallest(level.size(), clusters, merging);  // rarely any
  return merging.labels();
}

}  // namespace shiftcut

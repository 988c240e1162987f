#include "constraints/one_per_cluster.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "constraints/tuning.hpp"

namespace shiftcut {

namespace {

using namespace constraints_tuning;

void sort_unique(auto& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Calls visit(second of all items) for each run of items with the same first, longer than 1.
template <class Key, class Visit>
void for_runs(const std::vector<std::pair<Key, ObjectId>>& sorted, const Visit& visit) {
  std::vector<ObjectId> run;
  for (std::size_t i = 0; i < sorted.size();) {
    run.clear();
    const Key key = sorted[i].first;
    for (; i < sorted.size() && sorted[i].first == key; ++i) {
      run.push_back(sorted[i].second);
    }
    if (run.size() > 1) {
      visit(run);
    }
  }
}

std::uint64_t place(std::uint32_t group, ClusterId cluster) {
  return (std::uint64_t{group} << 32) | cluster;
}

// Clusters nobody is in, the lowest first.
class EmptyClusters {
 public:
  explicit EmptyClusters(std::span<const ClusterId> labels) : used_(labels.size() + 1, false) {
    for (const ClusterId k : labels) {
      if (k < used_.size()) {
        used_[k] = true;
      }
    }
  }
  ClusterId take() {
    while (used_[next_]) {
      ++next_;
    }
    used_[next_] = true;
    return next_;
  }

 private:
  std::vector<bool> used_;
  ClusterId next_ = 0;
};

}  // namespace

OnePerCluster::OnePerCluster(std::span<const std::int32_t> group, std::span<const ObjectId> node,
                             std::size_t nodes) {
  std::vector<std::pair<std::int32_t, ObjectId>> entries;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i] >= 0) {
      entries.emplace_back(group[i], node[i]);
    }
  }
  sort_unique(entries);
  node_begin_.assign(nodes + 1, 0);
  for_runs(entries, [&](const std::vector<ObjectId>& run) {
    begin_.push_back(members_.size());
    members_.insert(members_.end(), run.begin(), run.end());
    for (const ObjectId v : run) {
      ++node_begin_[v + 1];
    }
  });
  begin_.push_back(members_.size());
  std::partial_sum(node_begin_.begin(), node_begin_.end(), node_begin_.begin());
  groups_.resize(members_.size());
  std::vector<std::size_t> at(node_begin_.begin(), node_begin_.end() - 1);
  for (std::uint32_t g = 0; g < count(); ++g) {
    for (const ObjectId v : members(g)) {
      groups_[at[v]++] = g;
    }
  }
}

std::uint64_t OnePerCluster::pairs() const {
  std::uint64_t sum = 0;
  for (std::size_t g = 0; g < count(); ++g) {
    const std::uint64_t size = members(g).size();
    sum += size * (size - 1) / 2;
  }
  return sum;
}

std::span<const ObjectId> OnePerCluster::largest() const {
  std::span<const ObjectId> best;
  for (std::size_t g = 0; g < count(); ++g) {
    best = members(g).size() > best.size() ? members(g) : best;
  }
  return best;
}

bool OnePerCluster::overlap() const {
  return std::adjacent_find(node_begin_.begin(), node_begin_.end(),
                            [](std::size_t a, std::size_t b) { return b > a + 1; }) !=
         node_begin_.end();
}

std::vector<NodePair> OnePerCluster::all() const {
  std::vector<NodePair> out;
  for (std::size_t g = 0; g < count(); ++g) {
    for_pairs_of(members(g), members(g).size(),
                 [&](ObjectId a, ObjectId b) { out.emplace_back(a, b); });
  }
  return out;
}

std::vector<NodePair> OnePerCluster::near(const SparseMatrix& graph,
                                          std::span<const ObjectId> node) const {
  std::vector<NodePair> out;
  std::vector<std::pair<std::uint32_t, ObjectId>> around;
  const auto add = [&](ObjectId v) {
    for (const std::uint32_t g : groups(v)) {
      around.emplace_back(g, v);
    }
  };
  for (std::size_t i = 0; i < graph.rows; ++i) {
    around.clear();
    add(node[i]);
    for (auto e = static_cast<std::size_t>(graph.offsets[i]);
         e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
      if (graph.values[e] > 0) {
        add(node[graph.columns[e]]);
      }
    }
    sort_unique(around);
    for_runs(around, [&](const std::vector<ObjectId>& run) {
      for_pairs_of(run, kMostNearPairs, [&](ObjectId a, ObjectId b) { out.emplace_back(a, b); });
    });
  }
  sort_unique(out);
  return out;
}

OnePerCluster::Clashes OnePerCluster::clashes(std::span<const ClusterId> labels,
                                              std::size_t further) const {
  Clashes out;
  std::vector<std::pair<ClusterId, ObjectId>> of_group;
  for (std::size_t g = 0; g < count(); ++g) {
    of_group.clear();
    for (const ObjectId v : members(g)) {
      of_group.emplace_back(labels[v], v);
    }
    std::sort(of_group.begin(), of_group.end());
    for_runs(of_group, [&](const std::vector<ObjectId>& run) {
      out.nodes += run.size() - 1;
      for_pairs_of(run, kMostClashes,
                   [&](ObjectId a, ObjectId b) { out.pairs.emplace_back(a, b); });
      for (std::size_t i = 1; i < run.size() && members(g).size() <= further; ++i) {
        further -= members(g).size();
        for (const ObjectId u : members(g)) {
          if (u != run[i]) {
            out.pairs.emplace_back(run[i], u);
          }
        }
      }
    });
  }
  return out;
}

bool OnePerCluster::repair(std::span<ClusterId> labels, std::optional<std::size_t> clusters,
                           const Conflicts* conflicts) const {
  std::unordered_set<std::uint64_t> taken;
  taken.reserve(2 * members_.size());
  const auto is_free = [&](ObjectId v, ClusterId k) {
    return std::ranges::none_of(groups(v),
                                [&](std::uint32_t g) { return taken.contains(place(g, k)); });
  };
  const auto enter = [&](ObjectId v, ClusterId k) {
    labels[v] = k;
    for (const std::uint32_t g : groups(v)) {
      taken.insert(place(g, k));
    }
  };
  std::vector<ObjectId> leaving;
  for (ObjectId v = 0; v < labels.size(); ++v) {
    if (is_free(v, labels[v])) {
      enter(v, labels[v]);
    } else {
      leaving.push_back(v);
    }
  }
  if (!clusters) {
    EmptyClusters empty(labels);
    for (const ObjectId v : leaving) {
      enter(v, empty.take());
    }
    return true;
  }
  const auto is_open = [&](ObjectId v, ClusterId k) {
    return is_free(v, k) && (conflicts == nullptr ||
                             std::ranges::none_of(conflicts->lists()[v],
                                                  [&](ObjectId u) { return labels[u] == k; }));
  };
  std::vector<ClusterId> first(count(), 0);  // below, all have one of the group
  for (const ObjectId v : leaving) {
    ClusterId& k = first[groups(v).front()];
    while (k < *clusters && taken.contains(place(groups(v).front(), k))) {
      ++k;
    }
    ClusterId to = k;
    while (to < *clusters && !is_open(v, to)) {
      ++to;
    }
    if (to == *clusters) {
      return false;
    }
    enter(v, to);
  }
  return true;
}

}  // namespace shiftcut

// Disconnected clusters: no single move can take a set of objects out of a cluster it has no edges
// to, so components are searched for. (What Leiden guarantees: Traag, Waltman, van Eck 2019.)

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "multilevel/multilevel.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kObjectsPerPiece = 4096;
constexpr auto kRelaxed = std::memory_order_relaxed;

// Calls visit(v) for all objects, on all threads.
template <class Visit>
void for_each_object(ThreadTeam& team, std::size_t objects, const Visit& visit) {
  team.for_each((objects + kObjectsPerPiece - 1) / kObjectsPerPiece, [&](std::size_t piece, int) {
    const std::size_t end = std::min(objects, (piece + 1) * kObjectsPerPiece);
    for (std::size_t v = piece * kObjectsPerPiece; v < end; ++v) {
      visit(static_cast<ObjectId>(v));
    }
  });
}

struct Components {
  std::vector<ObjectId> of;           // of every object: the first of its component
  std::vector<std::uint32_t> counts;  // of every cluster
  bool any_disconnected = false;
};

// The components of all clusters.
//
// First each object joins one neighbour before it. That leaves few trees in a cluster, and all
// edges are visited only for the objects of clusters with more than one. Trees are linked without
// locks, the one with the later root below the other (Anderson, Woll 1991): whatever the order, the
// root of a component is its first object.
class Finder {
 public:
  Finder(const GraphProblem& problem, std::span<const ClusterId> labels, std::size_t clusters)
      : problem_(problem), labels_(labels), component_(labels.size()), trees_(clusters, 0) {}

  Components run(ThreadTeam& team) {
    for_each_object(team, labels_.size(), [&](ObjectId v) { join_one_before(v); });
    for_each_object(team, labels_.size(), [&](ObjectId v) { join_all_before(v); });
    const bool any =
        std::any_of(trees_.begin(), trees_.end(), [](auto count) { return count > 1; });
    if (any) {
      for_each_object(team, labels_.size(),
                      [&](ObjectId v) { component_of(v).store(root(v), kRelaxed); });
    }
    return {std::move(component_), std::move(trees_), any};
  }

 private:
  std::atomic_ref<ObjectId> component_of(ObjectId v) {
    return std::atomic_ref<ObjectId>(component_[v]);
  }
  std::atomic_ref<std::uint32_t> trees_of(ObjectId v) {
    return std::atomic_ref<std::uint32_t>(trees_[labels_[v]]);
  }

  [[nodiscard]] bool is_joined_before(ObjectId v, std::size_t e) const {
    const ObjectId u = problem_.neighbors(v)[e];
    return u < v && labels_[u] == labels_[v] && problem_.weights(v)[e] > 0;
  }

  void join_one_before(ObjectId v) {
    const auto neighbors = problem_.neighbors(v);
    std::size_t e = 0;
    while (e < neighbors.size() && neighbors[e] < v && !is_joined_before(v, e)) {
      ++e;
    }
    const bool is_joined = e < neighbors.size() && neighbors[e] < v;
    component_[v] = is_joined ? neighbors[e] : v;
    if (!is_joined) {
      trees_of(v).fetch_add(1, kRelaxed);
    }
  }

  void join_all_before(ObjectId v) {
    if (trees_of(v).load(kRelaxed) == 1) {
      return;
    }
    const auto neighbors = problem_.neighbors(v);
    for (std::size_t e = 0; e < neighbors.size() && neighbors[e] < v; ++e) {
      if (is_joined_before(v, e) && link(neighbors[e], v)) {
        trees_of(v).fetch_sub(1, kRelaxed);
      }
    }
  }

  ObjectId root(ObjectId v) {
    ObjectId up = component_of(v).load(kRelaxed);
    while (up != v) {
      const ObjectId next = component_of(up).load(kRelaxed);
      if (next != up) {  // names only fall, so it does not matter which thread's is kept
        component_of(v).store(next, kRelaxed);
      }
      v = up;
      up = next;
    }
    return v;
  }

  // Whether the two were in different trees.
  bool link(ObjectId u, ObjectId v) {
    while (true) {
      u = root(u);
      v = root(v);
      if (u == v) {
        return false;
      }
      const ObjectId first = std::min(u, v);
      ObjectId second = std::max(u, v);
      if (component_of(second).compare_exchange_strong(second, first, kRelaxed)) {
        return true;
      }
    }
  }

  const GraphProblem& problem_;
  std::span<const ClusterId> labels_;
  std::vector<ObjectId> component_;  // an object before it of the same tree, or itself: a root
  std::vector<std::uint32_t> trees_;
};

// S between two components from the shift alone; the weights between them are at most 0.
double shift_between(const ShiftTerms& terms, const Volume& a, const Volume& b) {
  return -terms.flat * a.size * b.size -
         terms.per_degree * (b.size * a.degree + a.size * b.degree) -
         terms.per_product * a.degree * b.degree;
}

}  // namespace

bool split_disconnected(const GraphProblem& problem, std::vector<ClusterId>& labels,
                        ThreadTeam& team) {
  ClusterId next = *std::max_element(labels.begin(), labels.end()) + 1;
  const Components found = Finder(problem, labels, next).run(team);
  if (!found.any_disconnected) {
    return false;
  }
  const std::vector<ObjectId>& component = found.of;
  std::vector<ObjectId> objects;  // of disconnected clusters
  for (ObjectId v = 0; v < labels.size(); ++v) {
    if (found.counts[labels[v]] > 1) {
      objects.push_back(v);
    }
  }
  std::vector<Volume> components(labels.size());
  std::vector<Volume> clusters(next);
  for (const ObjectId v : objects) {
    for (Volume* volume : {&components[component[v]], &clusters[labels[v]]}) {
      volume->size += problem.node_weight(v);
      volume->degree += problem.degree(v);
    }
  }
  std::vector<ClusterId> leaves_for(labels.size(), kNoCluster);  // by component
  bool any = false;
  for (const ObjectId v : objects) {
    Volume& cluster = clusters[labels[v]];
    if (component[v] != v || components[v].size == cluster.size) {
      continue;
    }
    const Volume rest{cluster.size - components[v].size, cluster.degree - components[v].degree};
    if (shift_between(problem.terms(), components[v], rest) < -problem.tolerance()) {
      leaves_for[v] = next++;
      cluster = rest;
      any = true;
    }
  }
  for (const ObjectId v : objects) {
    if (leaves_for[component[v]] != kNoCluster) {
      labels[v] = leaves_for[component[v]];
    }
  }
  return any;
}

}  // namespace shiftcut

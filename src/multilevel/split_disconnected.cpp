// Disconnected clusters: no single move can take a set of objects out of a cluster it has no edges
// to, so components are searched for. (What Leiden guarantees: Traag, Waltman, van Eck 2019.)

#include <algorithm>
#include <atomic>
#include <utility>

#include "multilevel/multilevel.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kObjectsPerPiece = 4096;  // objects

struct Components {
  std::vector<ObjectId> of;           // of every object of a disconnected cluster: its first object
  std::vector<std::uint32_t> counts;  // of every cluster
  bool any_disconnected = false;
};

// The components of all clusters.
//
// First each object joins one neighbour before it, on all threads. That leaves few trees in a
// cluster, and all edges are visited only for the objects of clusters with more than one.
Components components_of(const GraphProblem& problem, const std::vector<ClusterId>& labels,
                         std::size_t clusters, ThreadTeam& team) {
  std::vector<ObjectId> component(labels.size());
  std::vector<std::uint32_t> trees(clusters, 0);
  const auto joined_before = [&](ObjectId v, std::size_t e) {
    const ObjectId u = problem.neighbors(v)[e];
    return u < v && labels[u] == labels[v] && problem.weights(v)[e] > 0;
  };
  const auto join_one_before = [&](ObjectId v) {
    const auto neighbors = problem.neighbors(v);
    std::size_t e = 0;
    while (e < neighbors.size() && neighbors[e] < v && !joined_before(v, e)) {
      ++e;
    }
    const bool is_joined = e < neighbors.size() && neighbors[e] < v;
    component[v] = is_joined ? neighbors[e] : v;
    if (!is_joined) {
      std::atomic_ref<std::uint32_t>(trees[labels[v]]).fetch_add(1, std::memory_order_relaxed);
    }
  };
  team.for_each((labels.size() + kObjectsPerPiece - 1) / kObjectsPerPiece,
                [&](std::size_t piece, int) {
                  const std::size_t end = std::min(labels.size(), (piece + 1) * kObjectsPerPiece);
                  for (std::size_t v = piece * kObjectsPerPiece; v < end; ++v) {
                    join_one_before(static_cast<ObjectId>(v));
                  }
                });
  const auto first_of = [&](ObjectId v) {
    while (component[v] != v) {
      v = component[v] = component[component[v]];
    }
    return v;
  };
  for (ObjectId v = 0; v < labels.size(); ++v) {
    if (trees[labels[v]] == 1) {
      continue;
    }
    const auto neighbors = problem.neighbors(v);
    for (std::size_t e = 0; e < neighbors.size() && neighbors[e] < v; ++e) {
      if (joined_before(v, e)) {
        const auto [first, second] = std::minmax({first_of(v), first_of(neighbors[e])});
        trees[labels[v]] -= first != second ? 1 : 0;
        component[second] = first;
      }
    }
  }
  const bool any = std::any_of(trees.begin(), trees.end(), [](auto count) { return count > 1; });
  for (ObjectId v = 0; any && v < labels.size(); ++v) {
    if (trees[labels[v]] > 1) {
      component[v] = component[component[v]];  // names only fall, so that of component[v] is the
                                               // first object's already
    }
  }
  return {std::move(component), std::move(trees), any};
}

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
  const Components found = components_of(problem, labels, next, team);
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

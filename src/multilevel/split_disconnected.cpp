// Disconnected clusters: no single move can take a set of objects out of a cluster it has no edges
// to, so components are searched for. (What Leiden guarantees: Traag, Waltman, van Eck 2019.)

#include <algorithm>

#include "multilevel/multilevel.hpp"

namespace shiftcut {

namespace {

// The component of every object, named by its first object; empty if all clusters are connected.
//
// First each object joins one neighbour before it. That leaves few trees in a cluster, and all
// edges are visited only for the objects of clusters with more than one.
std::vector<ObjectId> components_of(const GraphProblem& problem,
                                    const std::vector<ClusterId>& labels, std::size_t clusters) {
  std::vector<ObjectId> component(labels.size());
  std::vector<std::uint32_t> trees(clusters, 0);
  const auto joined_before = [&](ObjectId v, std::size_t e) {
    const ObjectId u = problem.neighbors(v)[e];
    return u < v && labels[u] == labels[v] && problem.weights(v)[e] > 0;
  };
  for (ObjectId v = 0; v < labels.size(); ++v) {
    const auto neighbors = problem.neighbors(v);
    std::size_t e = 0;
    while (e < neighbors.size() && neighbors[e] < v && !joined_before(v, e)) {
      ++e;
    }
    const bool is_joined = e < neighbors.size() && neighbors[e] < v;
    component[v] = is_joined ? neighbors[e] : v;
    trees[labels[v]] += is_joined ? 0 : 1;
  }
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
  if (std::all_of(trees.begin(), trees.end(), [](std::uint32_t count) { return count <= 1; })) {
    return {};
  }
  for (ObjectId v = 0; v < labels.size(); ++v) {
    component[v] = component[component[v]];  // names only fall, so that of component[v] is the
                                             // first object's already
  }
  return component;
}

// S between two components from the shift alone; the weights between them are at most 0.
double shift_between(const ShiftTerms& terms, const Volume& a, const Volume& b) {
  return -terms.flat * a.size * b.size -
         terms.per_degree * (b.size * a.degree + a.size * b.degree) -
         terms.per_product * a.degree * b.degree;
}

}  // namespace

bool split_disconnected(const GraphProblem& problem, std::vector<ClusterId>& labels) {
  ClusterId next = *std::max_element(labels.begin(), labels.end()) + 1;
  const std::vector<ObjectId> component = components_of(problem, labels, next);
  if (component.empty()) {
    return false;
  }
  std::vector<Volume> components(labels.size());
  std::vector<Volume> clusters(next);
  for (ObjectId v = 0; v < labels.size(); ++v) {
    for (Volume* volume : {&components[component[v]], &clusters[labels[v]]}) {
      volume->size += problem.node_weight(v);
      volume->degree += problem.degree(v);
    }
  }
  std::vector<ClusterId> leaves_for(labels.size(), kNoCluster);  // by component
  bool any = false;
  for (ObjectId v = 0; v < labels.size(); ++v) {
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
  for (ObjectId v = 0; any && v < labels.size(); ++v) {
    if (leaves_for[component[v]] != kNoCluster) {
      labels[v] = leaves_for[component[v]];
    }
  }
  return any;
}

}  // namespace shiftcut

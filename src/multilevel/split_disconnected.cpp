#include "multilevel/split_disconnected.hpp"

#include <algorithm>

#include "multilevel/level.hpp"

namespace shiftcut {

namespace {

// Every object's part, named by the first object of it; none if all clusters are in one part.
//
// First each object joins one neighbour before it. That leaves few trees in a cluster, so that all
// edges are looked at of a few objects only, until there is one.
std::vector<ObjectId> parts_of(const GraphProblem& problem, const std::vector<ClusterId>& labels,
                               std::size_t clusters) {
  std::vector<ObjectId> part(labels.size());
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
    part[v] = is_joined ? neighbors[e] : v;
    trees[labels[v]] += is_joined ? 0 : 1;
  }
  const auto first_of = [&](ObjectId v) {
    while (part[v] != v) {
      v = part[v] = part[part[v]];
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
        part[second] = first;
      }
    }
  }
  if (std::all_of(trees.begin(), trees.end(), [](std::uint32_t count) { return count <= 1; })) {
    return {};
  }
  for (ObjectId v = 0; v < labels.size(); ++v) {
    part[v] = part[part[v]];  // names only fall, so that of part[v] is the first object's already
  }
  return part;
}

// What the shift alone makes of S between the two; weights between parts are not above 0.
double shift_between(const ShiftTerms& terms, const Mass& a, const Mass& b) {
  return -terms.flat * a.size * b.size - terms.per_degree * (b.size * a.degree + a.size * b.degree);
}

}  // namespace

bool split_disconnected(const GraphProblem& problem, std::vector<ClusterId>& labels) {
  ClusterId next = *std::max_element(labels.begin(), labels.end()) + 1;
  const std::vector<ObjectId> part = parts_of(problem, labels, next);
  if (part.empty()) {
    return false;
  }
  std::vector<Mass> parts(labels.size());
  std::vector<Mass> clusters(next);
  for (ObjectId v = 0; v < labels.size(); ++v) {
    for (Mass* mass : {&parts[part[v]], &clusters[labels[v]]}) {
      mass->size += problem.node_weight(v);
      mass->degree += problem.degree(v);
    }
  }
  std::vector<ClusterId> leaves_for(labels.size(), kNoCluster);  // by part
  bool any = false;
  for (ObjectId v = 0; v < labels.size(); ++v) {
    Mass& cluster = clusters[labels[v]];
    if (part[v] != v || parts[v].size == cluster.size) {
      continue;
    }
    const Mass rest{cluster.size - parts[v].size, cluster.degree - parts[v].degree};
    if (shift_between(problem.terms(), parts[v], rest) < -problem.tolerance()) {
      leaves_for[v] = next++;
      cluster = rest;
      any = true;
    }
  }
  for (ObjectId v = 0; any && v < labels.size(); ++v) {
    if (leaves_for[part[v]] != kNoCluster) {
      labels[v] = leaves_for[part[v]];
    }
  }
  return any;
}

}  // namespace shiftcut

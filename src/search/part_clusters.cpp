#include "search/part_clusters.hpp"

#include <algorithm>
#include <numeric>

#include "search/level.hpp"

namespace shiftcut {

namespace {

// Every object's part, named by the first object of it.
std::vector<ObjectId> parts_of(const GraphProblem& problem, const std::vector<ClusterId>& labels) {
  std::vector<ObjectId> part(labels.size());
  std::iota(part.begin(), part.end(), ObjectId{0});
  const auto first_of = [&](ObjectId v) {
    while (part[v] != v) {
      v = part[v] = part[part[v]];
    }
    return v;
  };
  for (ObjectId v = 0; v < labels.size(); ++v) {
    const auto neighbors = problem.neighbors(v);
    const auto weights = problem.weights(v);
    ObjectId own = first_of(v);
    for (std::size_t e = 0; e < neighbors.size() && neighbors[e] < v; ++e) {
      if (labels[neighbors[e]] == labels[v] && weights[e] > 0) {
        const ObjectId other = first_of(neighbors[e]);
        part[std::max(own, other)] = std::min(own, other);
        own = std::min(own, other);
      }
    }
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

bool part_clusters(const GraphProblem& problem, std::vector<ClusterId>& labels) {
  const std::vector<ObjectId> part = parts_of(problem, labels);
  ClusterId next = *std::max_element(labels.begin(), labels.end()) + 1;
  std::vector<Mass> parts(labels.size());
  std::vector<Mass> clusters(next);
  for (ObjectId v = 0; v < labels.size(); ++v) {
    for (Mass* mass : {&parts[part[v]], &clusters[labels[v]]}) {
      mass->size += 1;
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

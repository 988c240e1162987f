#include "feedback/object_chances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "feedback/tuning.hpp"

namespace shiftcut {

namespace {

using namespace feedback_tuning;

const GraphProblem* graph_of(const PairView& view) {
  return std::get_if<GraphProblem>(&view.problem());
}

bool by_affinity(const Nearness& a, const Nearness& b) {
  return a.affinity > b.affinity || (a.affinity == b.affinity && a.cluster < b.cluster);
}

// Objects to look at: all of a graph, else a sample.
std::vector<ObjectId> looked_at(const PairView& view, Rng& rng) {
  std::vector<ObjectId> objects(view.size());
  std::iota(objects.begin(), objects.end(), ObjectId{0});
  if (graph_of(view) == nullptr && objects.size() > kSampledObjects) {
    for (std::size_t i = 0; i < kSampledObjects; ++i) {
      const auto left = static_cast<std::uint32_t>(objects.size() - i);
      std::swap(objects[i], objects[i + rng.below(left)]);
    }
    objects.resize(kSampledObjects);
  }
  return objects;
}

// How many objects answers tie each node's objects to.
std::vector<std::uint32_t> node_sizes(const PairView& view) {
  std::vector<std::uint32_t> sizes(view.size(), 0);
  for (ObjectId i = 0; i < view.size(); ++i) {
    ++sizes[view.node(i)];
  }
  return sizes;
}

}  // namespace

ClusterAffinities::ClusterAffinities(const PairView& view, std::span<const ClusterId> labels,
                                     Rng& rng)
    : view_(view), labels_(labels), node_labels_(labels.size()) {
  const std::size_t k = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  sizes_.assign(k, 0.0);
  const GraphProblem* graph = graph_of(view);
  degrees_.assign(graph != nullptr ? k : 0, 0.0);
  samples_.resize(graph != nullptr ? 0 : k);
  for (ObjectId i = 0; i < labels.size(); ++i) {
    const ClusterId label = labels[i];
    node_labels_[view.node(i)] = label;
    sizes_[label] += graph != nullptr ? view.weight(i) : 1;
    if (graph != nullptr) {
      degrees_[label] += graph->degree(i);
      continue;
    }
    auto& sample = samples_[label];  // a uniform one: reservoir
    if (sample.size() < kSampledMembers) {
      sample.push_back(i);
    } else if (const auto at = rng.below(static_cast<std::uint32_t>(sizes_[label]));
               at < kSampledMembers) {
      sample[at] = i;
    }
  }
}

std::vector<Nearness> ClusterAffinities::all_of(ObjectId i) const {
  std::vector<Nearness> near;
  const ClusterId own = labels_[i];
  if (const GraphProblem* graph = graph_of(view_)) {
    const auto columns = graph->neighbors(i);
    const auto weights = graph->weights(i);
    near.push_back({own, 0});
    for (std::size_t e = 0; e < columns.size(); ++e) {
      if (columns[e] != i) {
        near.push_back({labels_[columns[e]], weights[e]});
      }
    }
    std::sort(near.begin(), near.end(), [](const Nearness& a, const Nearness& b) {
      return a.cluster < b.cluster || (a.cluster == b.cluster && a.affinity < b.affinity);
    });
    std::size_t kept = 0;
    for (std::size_t e = 1; e < near.size(); ++e) {
      if (near[e].cluster == near[kept].cluster) {
        near[kept].affinity += near[e].affinity;
      } else {
        near[++kept] = near[e];
      }
    }
    near.resize(kept + 1);
    for (Nearness& to : near) {
      const bool is_own = to.cluster == own;
      to.affinity =
          graph->affinity(i, to.affinity, sizes_[to.cluster] - (is_own ? view_.weight(i) : 0),
                          degrees_[to.cluster] - (is_own ? graph->degree(i) : 0)) /
          (view_.weight(i) * view_.unit());
    }
    return near;
  }
  for (ClusterId k = 0; k < sizes_.size(); ++k) {
    double sum = 0;
    double count = 0;
    for (const ObjectId j : samples_[k]) {
      if (j != i) {
        sum += shifted(view_.problem(), i, j) / (view_.weight(i) * view_.weight(j));
        ++count;
      }
    }
    if (count > 0 || k == own) {
      near.push_back({k, kMembersCounted * sum / std::max(1.0, count) / view_.unit()});
    }
  }
  return near;
}

std::vector<Nearness> ClusterAffinities::nearest(ObjectId i, std::size_t most) const {
  std::vector<Nearness> near = all_of(i);
  const auto conflicts = view_.conflicts_of(i);
  if (!conflicts.empty() && near.size() > 1) {
    std::erase_if(near, [&](const Nearness& to) {
      return to.cluster != labels_[i] && std::ranges::any_of(conflicts, [&](ObjectId node) {
               return node_labels_[node] == to.cluster;
             });
    });
  }
  const auto kept = static_cast<std::ptrdiff_t>(std::min(most, near.size()));
  std::partial_sort(near.begin(), near.begin() + kept, near.end(), by_affinity);
  near.resize(static_cast<std::size_t>(kept));
  return near;
}

Doubts::Doubts(const PairView& view, std::span<const ClusterId> labels, std::size_t most, Rng& rng,
               ThreadTeam& team) {
  const ClusterAffinities affinities(view, labels, rng);
  const std::vector<ObjectId> looked = looked_at(view, rng);
  std::vector<Seen> seen(looked.size());
  const std::size_t pieces = (looked.size() + kObjectsPerTask - 1) / kObjectsPerTask;
  team.for_each(pieces, [&](std::size_t piece, int) {
    const std::size_t last = std::min(looked.size(), (piece + 1) * kObjectsPerTask);
    for (std::size_t s = piece * kObjectsPerTask; s < last; ++s) {
      const std::vector<Nearness> near = affinities.nearest(looked[s], kNearClusters);
      const auto own = std::ranges::find(near, labels[looked[s]], &Nearness::cluster);
      const double in_own = own != near.end() ? own->affinity : near.front().affinity;
      const double other = near.size() < 2       ? kNotNear
                           : own == near.begin() ? near[1].affinity
                                                 : near.front().affinity;
      seen[s] = {looked[s], in_own, in_own - other};
    }
  });
  const std::vector<std::uint32_t> tied = node_sizes(view);
  choose_exemplars(view, labels, seen, tied, affinities.clusters());
  choose_objects(view, seen, tied, most);
  set_chances(view, labels, affinities);
}

// Those that most answers are about; among equals those that lie deepest in their cluster.
void Doubts::choose_exemplars(const PairView& view, std::span<const ClusterId> labels,
                              const std::vector<Seen>& seen, const std::vector<std::uint32_t>& tied,
                              std::size_t clusters) {
  std::vector<double> depth(clusters, -std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> ties(clusters, 0);
  exemplars_.assign(clusters, 0);
  for (const Seen& object : seen) {
    const ClusterId k = labels[object.object];
    const std::uint32_t own_ties = tied[view.node(object.object)];
    if (own_ties > ties[k] || (own_ties == ties[k] && object.own > depth[k])) {
      ties[k] = own_ties;
      depth[k] = object.own;
      exemplars_[k] = object.object;
    }
  }
  // Where only a sample was looked at, answers may be about others.
  for (ObjectId i = 0; i < labels.size(); ++i) {
    const ClusterId k = labels[i];
    if (tied[view.node(i)] > ties[k]) {
      ties[k] = tied[view.node(i)];
      exemplars_[k] = i;
    }
  }
}

void Doubts::choose_objects(const PairView& view, std::vector<Seen>& seen,
                            const std::vector<std::uint32_t>& tied, std::size_t most) {
  std::erase_if(seen, [&](const Seen& object) { return tied[view.node(object.object)] > 1; });
  const auto kept = static_cast<std::ptrdiff_t>(std::min(most, seen.size()));
  std::partial_sort(seen.begin(), seen.begin() + kept, seen.end(),
                    [](const Seen& a, const Seen& b) {
                      return a.margin < b.margin || (a.margin == b.margin && a.object < b.object);
                    });
  for (std::ptrdiff_t s = 0; s < kept; ++s) {
    objects_.push_back(seen[static_cast<std::size_t>(s)].object);
  }
}

// Mean field among the doubtful, all others where they are.
void Doubts::set_chances(const PairView& view, std::span<const ClusterId> labels,
                         const ClusterAffinities& affinities) {
  const std::size_t m = objects_.size();
  std::vector<std::vector<Nearness>> near(m);
  for (std::size_t i = 0; i < m; ++i) {
    near[i] = affinities.nearest(objects_[i], kNearClusters);
    for (const Nearness& to : near[i]) {
      clusters_.push_back(to.cluster);
    }
    clusters_.push_back(labels[objects_[i]]);
  }
  std::sort(clusters_.begin(), clusters_.end());
  clusters_.erase(std::unique(clusters_.begin(), clusters_.end()), clusters_.end());
  const std::size_t k = clusters_.size() + 1;  // the last: none of these
  std::vector<double> similarities(m * m, 0.0);
  std::vector<double> outside(m * k, kNotNear);
  MeanField start{k, std::vector<double>(m * k, 0.0)};
  const double scale = graph_of(view) != nullptr ? 1 : 0;  // else sums are estimates of all
  for (std::size_t i = 0; i < m; ++i) {
    outside[i * k + k - 1] = 0;
    for (const Nearness& to : near[i]) {
      outside[i * k + column_of(to.cluster)] = to.affinity;
    }
    start.chances[i * k + column_of(labels[objects_[i]])] = 1;
    for (std::size_t j = 0; j < m && scale > 0; ++j) {
      similarities[i * m + j] = i == j ? 0.0 : view.similarity(objects_[i], objects_[j]);
    }
  }
  for (std::size_t i = 0; i < m && scale > 0; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      double& from = outside[i * k + column_of(labels[objects_[j]])];
      from -= from > kNotNear / 2 ? similarities[i * m + j] : 0.0;
    }
  }
  const double work = static_cast<double>(m) * static_cast<double>(m) * static_cast<double>(k);
  const int rounds = static_cast<int>(std::clamp(kMeanFieldWork / std::max(1.0, work), 1.0, 200.0));
  chances_ = mean_field(similarities, outside, std::move(start), kBeta, rounds);
}

std::size_t Doubts::column_of(ClusterId k) const {
  return static_cast<std::size_t>(std::lower_bound(clusters_.begin(), clusters_.end(), k) -
                                  clusters_.begin());
}

}  // namespace shiftcut

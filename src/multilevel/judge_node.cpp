// Where a node wants to go, and by what margin it stays there: see local_moving.hpp.
#include <algorithm>
#include <limits>

#include "core/kernels/best_label.hpp"
#include "multilevel/local_moving.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kTask = 64;  // nodes judged by a thread at a time
constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

}  // namespace

template <class Level>
auto LocalMoving<Level>::best_by_comparing(ObjectId v, NearClusters& near) const -> Best {
  LabelledEdges& edges = near.edges();
  const Mass& mass = nodes_.mass[v];
  const double per_size = mass.size * nodes_.terms.flat + nodes_.terms.per_degree * mass.degree;
  const double per_degree = mass.size * nodes_.terms.per_degree;
  const auto against = [&](const Mass& masses) {
    return masses.size * per_size + masses.degree * per_degree;
  };
  std::size_t count = 0;
  level_.for_each_edge(v, [&](ObjectId u, double weight) {
    const ClusterId k = labels_[u];
    edges.labels[count] = k;
    edges.weights[count] = weight;
    edges.penalties[count] = against(cluster(k));
    count += is_other_part(v, u) ? 0 : 1;
  });
  edges.count = count;
  const ClusterId own = labels_[v];
  const BestLabel best =
      best_label(edges, own, against(without(cluster(own), v)), level_.same_weight());
  return {static_cast<ClusterId>(best.label), best.weight, best.score, best.next_score,
          best.own_weight};
}

template <class Level>
auto LocalMoving<Level>::best_by_table(ObjectId v, NearClusters& near) const -> Best {
  const ClusterId own = labels_[v];
  near.begin(level_.edges_of(v) + 1, sizes_.size());
  near.add(own, 0);
  level_.for_each_edge(v, [&](ObjectId u, double weight) {
    if (!is_other_part(v, u)) {
      near.add(labels_[u], weight);
    }
  });

  Best best{kNoCluster, 0, kMinusInfinity, kMinusInfinity, near.all().front().weight};
  const auto consider = [&](ClusterId k, double weight) {
    const double a = affinity(v, weight, cluster(k));
    if (a > best.affinity || (a == best.affinity && k < best.cluster)) {
      best = {k, weight, a, best.affinity, best.own_weight};
    } else {
      best.next = std::max(best.next, a);
    }
  };
  for (std::size_t i = 1; i < near.all().size(); ++i) {
    consider(near.all()[i].cluster, near.all()[i].weight);
  }
  if (look_far_ && parts_.empty()) {
    for (ClusterId k = 0; k < sizes_.size(); ++k) {
      if (sizes_[k] > 0 && !near.has(k)) {
        consider(k, 0.0);
      }
    }
  }
  return best;
}

// The best of the clusters of neighbours, of an empty one, and, where they are few, of all others.
template <class Level>
auto LocalMoving<Level>::judge(ObjectId v, NearClusters& near) -> Verdict {
  const bool compares = !Level::kIsDense && !look_far_ && level_.edges_of(v) <= kMostLabels;
  const Best other = compares ? best_by_comparing(v, near) : best_by_table(v, near);
  const ClusterId own = labels_[v];
  const Mass rest = without(cluster(own), v);
  const double stay = affinity(v, other.own_weight, rest);
  Verdict verdict{own, other.own_weight, 0, false};
  double best = stay;
  if (other.affinity > best && other.cluster != kNoCluster) {
    verdict.to = other.cluster;
    verdict.to_weight = other.weight;
    best = other.affinity;
  }
  if (rest.size > 0 && has_empty() && best < 0) {
    verdict.to = kNoCluster;
    verdict.to_weight = 0;
    best = 0;
  }
  verdict.moves = best - stay > nodes_.tolerance;
  if (has_margins_) {
    // Were there no empty cluster now, there may be one later.
    const double after =
        verdict.moves && verdict.to != kNoCluster ? std::max(stay, other.next) : other.affinity;
    const double here = verdict.moves ? best : stay;
    margins_[v] = at_most(here - std::max(after, 0.0) + nodes_.tolerance);
  }
  return verdict;
}

template <class Level>
void LocalMoving<Level>::judge_batch(std::span<const ObjectId> batch) {
  verdicts_.resize(batch.size());
  const std::size_t tasks = (batch.size() + kTask - 1) / kTask;
  const auto judge_task = [&](std::size_t task, int worker) {
    NearClusters& near = near_[static_cast<std::size_t>(worker)];
    near.make_room(sizes_.size());
    const std::size_t end = std::min(batch.size(), (task + 1) * kTask);
    for (std::size_t i = task * kTask; i < end; ++i) {
      if (i + 6 < end) {
        level_.prefetch_edges(batch[i + 6]);
      }
      if (i + 4 < end) {
        level_.for_each_neighbor(batch[i + 4],
                                 [&](ObjectId u) { __builtin_prefetch(&labels_[u]); });
      }
      if (i + 2 < end) {
        level_.for_each_neighbor(batch[i + 2],
                                 [&](ObjectId u) { __builtin_prefetch(&sizes_[labels_[u]]); });
      }
      verdicts_[i] = judge(batch[i], near);
    }
  };
  if (tasks == 1) {
    judge_task(0, 0);
  } else {
    team_.for_each(tasks, judge_task);
  }
}

template auto LocalMoving<SparseLevel>::best_by_comparing(ObjectId, NearClusters&) const -> Best;
template auto LocalMoving<SparseLevel>::best_by_table(ObjectId, NearClusters&) const -> Best;
template auto LocalMoving<SparseLevel>::judge(ObjectId, NearClusters&) -> Verdict;
template void LocalMoving<SparseLevel>::judge_batch(std::span<const ObjectId>);
template auto LocalMoving<DenseLevel>::best_by_comparing(ObjectId, NearClusters&) const -> Best;
template auto LocalMoving<DenseLevel>::best_by_table(ObjectId, NearClusters&) const -> Best;
template auto LocalMoving<DenseLevel>::judge(ObjectId, NearClusters&) -> Verdict;
template void LocalMoving<DenseLevel>::judge_batch(std::span<const ObjectId>);

}  // namespace shiftcut

// The best cluster for a node, and the margin by which it is the best: see local_moving.hpp.
#include <algorithm>
#include <atomic>
#include <limits>

#include "multilevel/local_moving.hpp"
#include "multilevel/tuning.hpp"

namespace shiftcut {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

}  // namespace

// For a node of low degree: its edges are compared with each other by a vector kernel.
template <class Level>
auto LocalMoving<Level>::best_other_by_kernel(ObjectId v, NearClusters& near) const -> BestOther {
  LabelledEdges& edges = near.edges();
  const Volume& volume = nodes_.volume[v];
  const double per_size = nodes_.terms.per_size(volume.size, volume.degree);
  const double per_degree = nodes_.terms.per_unit_degree(volume.size, volume.degree);
  const auto gather = [&](const auto& penalty_of) {
    std::size_t count = 0;
    level_.for_each_edge(v, [&](ObjectId u, double weight) {
      const ClusterId k = labels_[u];
      edges.labels[count] = k;
      edges.weights[count] = weight;
      edges.penalties[count] = penalty_of(k);
      count += is_other_region(v, u) ? 0 : 1;
    });
    edges.count = count;
  };
  // Of what a cluster counts for, only what the shift uses is read.
  if (!nodes_.terms.count_degrees()) {
    gather([&](ClusterId k) { return sizes_[k] * per_size; });
  } else if (!nodes_.terms.count_sizes()) {
    gather([&](ClusterId k) { return degrees_[k] * per_degree; });
  } else {
    gather([&](ClusterId k) { return sizes_[k] * per_size + degrees_[k] * per_degree; });
  }
  const ClusterId own = labels_[v];
  const Volume rest = without(cluster(own), v);
  const BestLabel best =
      best_label(edges, own, rest.size * per_size + rest.degree * per_degree, level_.same_weight());
  return {static_cast<ClusterId>(best.label), best.weight, best.score, best.next_score,
          best.own_weight};
}

template <class Level>
auto LocalMoving<Level>::best_other(ObjectId v, NearClusters& near) const -> BestOther {
  near.begin(level_.edges_of(v), sizes_.size());
  near.add(labels_[v], 0);
  if (regions_.empty()) {
    level_.for_each_edge(v, [&](ObjectId u, double weight) { near.add(labels_[u], weight); });
  } else {
    level_.for_each_edge(v, [&](ObjectId u, double weight) {
      if (!is_other_region(v, u)) {
        near.add(labels_[u], weight);
      }
    });
  }

  const auto all = near.all();  // the node's own cluster first
  BestOther best{kNoCluster, 0, kNever, kNever, all.front().weight};
  const auto consider = [&](ClusterId k, double weight) {
    const double a = affinity(v, weight, cluster(k));
    if (a > best.affinity || (a == best.affinity && k < best.cluster)) {
      best = {k, weight, a, best.affinity, best.own_weight};
    } else {
      best.next = std::max(best.next, a);
    }
  };
  for (const auto& near_cluster : all.subspan(1)) {
    consider(near_cluster.cluster, near_cluster.weight);
  }
  if (compares_all_ && regions_.empty()) {
    for (ClusterId k = 0; k < sizes_.size(); ++k) {
      if (sizes_[k] > 0 && !near.has(k)) {
        consider(k, 0.0);
      }
    }
  }
  return best;
}

// Compares the clusters of neighbours, an empty one and, where there are few, all others.
template <class Level>
auto LocalMoving<Level>::evaluate(ObjectId v, NearClusters& near) -> Proposal {
  const bool has_few_edges =
      !Level::kIsDense && !compares_all_ && level_.edges_of(v) <= kMostLabels;
  const BestOther other = has_few_edges ? best_other_by_kernel(v, near) : best_other(v, near);
  const ClusterId own = labels_[v];
  const Volume rest = without(cluster(own), v);
  const double stay = affinity(v, other.own_weight, rest);
  Proposal proposal{own, other.own_weight, 0, false};
  double best = stay;
  if (other.affinity > best && other.cluster != kNoCluster) {
    proposal.to = other.cluster;
    proposal.to_weight = other.weight;
    best = other.affinity;
  }
  if (rest.size > 0 && has_empty() && best < 0) {
    proposal.to = kNoCluster;
    proposal.to_weight = 0;
    best = 0;
  }
  proposal.moves = best - stay > nodes_.tolerance;
  if (has_margins_) {
    // Even if no cluster is empty now, one may be later.
    const double after =
        proposal.moves && proposal.to != kNoCluster ? std::max(stay, other.next) : other.affinity;
    const double here = proposal.moves ? best : stay;
    margins_[v] = rounded_down(here - std::max(after, 0.0) + nodes_.tolerance);
  }
  return proposal;
}

template <class Level>
std::size_t LocalMoving<Level>::evaluate_batch(std::span<const ObjectId> batch) {
  proposals_.resize(batch.size());
  if constexpr (!Level::kIsDense) {
    batch_ = batch_ == 255 ? 1 : batch_ + 1;
    if (batch_ == 1) {  // stamps of 255 batches ago are not those of this one
      std::fill(moves_in_.begin(), moves_in_.end(), 0);
    }
  }
  std::atomic<std::size_t> would_move = 0;
  for_each_task(batch.size(), [&](std::size_t begin, std::size_t end, int worker) {
    NearClusters& near = near_[static_cast<std::size_t>(worker)];
    std::size_t moving = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const ObjectId v = batch[i];
      is_queued_[v] = 0;
      if (groups_only_ && !is_single(v)) {
        proposals_[i] = {};
        continue;
      }
      proposals_[i] = evaluate(v, near);
      moving += proposals_[i].moves ? 1 : 0;
      if constexpr (!Level::kIsDense) {
        moves_in_[v] = proposals_[i].moves ? batch_ : 0;
        targets_[v] = proposals_[i].to;
      }
    }
    would_move.fetch_add(moving, std::memory_order_relaxed);
  });
  return would_move;
}

template auto LocalMoving<SparseLevel>::best_other_by_kernel(ObjectId, NearClusters&) const
    -> BestOther;
template auto LocalMoving<SparseLevel>::best_other(ObjectId, NearClusters&) const -> BestOther;
template auto LocalMoving<SparseLevel>::evaluate(ObjectId, NearClusters&) -> Proposal;
template std::size_t LocalMoving<SparseLevel>::evaluate_batch(std::span<const ObjectId>);
template auto LocalMoving<DenseLevel>::best_other_by_kernel(ObjectId, NearClusters&) const
    -> BestOther;
template auto LocalMoving<DenseLevel>::best_other(ObjectId, NearClusters&) const -> BestOther;
template auto LocalMoving<DenseLevel>::evaluate(ObjectId, NearClusters&) -> Proposal;
template std::size_t LocalMoving<DenseLevel>::evaluate_batch(std::span<const ObjectId>);

}  // namespace shiftcut

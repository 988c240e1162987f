// When no node would move: a single-move local optimum, proven by margins, or by what has changed
// since the last one. See local_moving.hpp.
#include <algorithm>
#include <atomic>
#include <numeric>

#include "multilevel/local_moving.hpp"
#include "multilevel/tuning.hpp"

namespace shiftcut {

template <class Level>
bool LocalMoving<Level>::sees_all_clusters() const {
  if (compares_all_ || Level::kIsDense) {
    return true;
  }
  if (sizes_.size() < level_.size()) {
    return false;
  }
  // While a cluster is empty, one that repels the node cannot be best.
  const ShiftTerms& terms = nodes_.terms;
  for (const Volume& volume : nodes_.volume) {
    if (terms.per_size(volume.size, volume.degree) < 0 ||
        (terms.count_degrees() && volume.degree < 0)) {
      return false;
    }
  }
  return true;
}

template <class Level>
std::size_t LocalMoving<Level>::move_until_stable() {
  track_sizes();
  std::size_t moves = move_all();
  for (std::size_t now = moves; now > 0 && !stop_.should_stop(); moves += now) {
    if (tracks_sizes_) {
      now = requeue_unproven() > 0 ? drain_queue() : 0;
    } else {
      now = move_all();
    }
  }
  return moves;
}

template <class Level>
void LocalMoving<Level>::track_sizes() {
  tracks_sizes_ = has_margins_;
  changes_.assign(tracks_sizes_ ? sizes_.size() : 0, Change{});
  repels_ = tracks_sizes_ && repels_all();
  std::fill(margins_.begin(), margins_.end(), kNoMargin);
}

// Whether no node is attracted by what a cluster without an edge to it holds.
template <class Level>
bool LocalMoving<Level>::repels_all() const {
  const ShiftTerms& terms = nodes_.terms;
  return std::ranges::all_of(nodes_.volume, [&](const Volume& node) {
    return node.degree >= 0 && terms.per_size(node.size, node.degree) >= 0 &&
           terms.per_unit_degree(node.size, node.degree) >= 0;
  });
}

// The most that has left a cluster, and the share of all objects that are in clusters something has
// left.
template <class Level>
auto LocalMoving<Level>::most_left(double& share) const -> Bound {
  const std::size_t pieces = pieces_of(sizes_.size());
  std::vector<Bound> most(pieces);
  std::vector<Volume> objects(pieces);  // in all clusters, and in those
  team_.for_each(pieces, [&](std::size_t piece, int) {
    const std::size_t end = std::min(sizes_.size(), (piece + 1) * kNodesPerPiece);
    for (std::size_t k = piece * kNodesPerPiece; k < end; ++k) {
      const Bound& left = changes_[k].left;
      most[piece] = {std::max(most[piece].size, left.size),
                     std::max(most[piece].degree, left.degree)};
      objects[piece].size += sizes_[k];
      objects[piece].degree += left.size > 0 ? sizes_[k] : 0.0;
    }
  });
  for (std::size_t piece = 1; piece < pieces; ++piece) {
    most[0] = {std::max(most[0].size, most[piece].size),
               std::max(most[0].degree, most[piece].degree)};
    objects[0].size += objects[piece].size;
    objects[0].degree += objects[piece].degree;
  }
  share = objects[0].degree / objects[0].size;
  return most[0];
}

// Takes off the margins what the clusters next to a node can have gained in affinity: the most
// that has left one of them.
template <class Level>
void LocalMoving<Level>::bound_losses_to_neighbors() {
  PagedVector<std::uint32_t>& losses = targets_;  // of use within a batch only
  for_each_node([&](ObjectId v) { losses[v] = 0; });
  for_each_node([&](ObjectId v) {
    const Bound& left = changes_[labels_[v]].left;
    if (left.size == 0) {
      return;
    }
    level_.for_each_edge(v, [&](ObjectId u, double) {
      if (labels_[u] == labels_[v]) {
        return;
      }
      const auto lost =
          static_cast<std::uint32_t>(std::min(effect(u, left) * units_ + 1, kMostLoss));
      const std::atomic_ref<std::uint32_t> most(losses[u]);
      std::uint32_t now = most.load(std::memory_order_relaxed);
      while (now < lost && !most.compare_exchange_weak(now, lost, std::memory_order_relaxed)) {
      }
    });
  });
  for_each_node([&](ObjectId v) {
    if (margins_[v] >= 0) {
      margins_[v] -= static_cast<std::int32_t>(losses[v]);
    }
  });
}

// Requeues nodes whose margin may be used up: the affinities to its own cluster and to the best
// other one have changed by no more than the clusters have.
template <class Level>
std::size_t LocalMoving<Level>::requeue_unproven() {
  double share = 0;
  Bound left = most_left(share);
  if (repels_ && !compares_all_ && share < kFewLeft) {
    bound_losses_to_neighbors();
    left = {};
  }
  for_each_node([&](ObjectId v) {
    if (margins_[v] >= 0) {
      const double lost = effect(v, changes_[labels_[v]].joined) + effect(v, left);
      margins_[v] = lost > 0 ? rounded_down(margins_[v] / units_ - lost) : margins_[v];
    }
    is_queued_[v] = margins_[v] < 0 && needs_visit(v) ? 1 : 0;
  });
  std::fill(changes_.begin(), changes_.end(), Change{});
  queue_marked();
  return queue_.size();
}

// Queues the nodes of clusters that are not the same sets as before, and their neighbours. False if
// that would be many.
template <class Level>
bool LocalMoving<Level>::queue_changed(std::span<const ClusterId> before) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  struct Cluster {
    std::uint32_t nodes_before = 0;
    std::uint32_t nodes = 0;
    ClusterId was = 0;  // the label before of one of its nodes, whichever
    std::uint32_t differs = 0;
  };
  std::vector<Cluster> clusters(level_.size());
  for_each_node([&](ObjectId v) {
    Cluster& now = clusters[labels_[v]];
    std::atomic_ref(now.nodes).fetch_add(1, kRelaxed);
    std::atomic_ref(now.was).store(before[v], kRelaxed);
    std::atomic_ref(clusters[before[v]].nodes_before).fetch_add(1, kRelaxed);
  });
  for_each_node([&](ObjectId v) {
    Cluster& now = clusters[labels_[v]];
    if (before[v] != now.was || clusters[before[v]].nodes_before != now.nodes) {
      std::atomic_ref(now.differs).store(1, kRelaxed);
    }
  });
  std::size_t changed = 0;
  for (const Cluster& cluster : clusters) {
    changed += cluster.differs != 0 ? cluster.nodes : 0;
  }
  if (static_cast<double>(changed) > kFewChanged * static_cast<double>(level_.size())) {
    return false;
  }
  for_each_node([&](ObjectId v) {
    if (clusters[labels_[v]].differs == 0) {
      return;
    }
    const auto mark = [&](ObjectId u) { std::atomic_ref(is_queued_[u]).store(1, kRelaxed); };
    if (needs_visit(v)) {
      mark(v);
    }
    level_.for_each_edge(v, [&](ObjectId u, double) { mark(u); });
  });
  queue_marked();
  return true;
}

// A node outside these would have moved before: neither its own cluster nor one that it has an edge
// to has changed, and the others do not attract it.
template <class Level>
std::size_t LocalMoving<Level>::move_changed(std::span<const ClusterId> before) {
  std::size_t moves = 0;
  if (has_margins_ && !compares_all_ && sizes_.size() == level_.size() && repels_all()) {
    std::vector<ClusterId> last(before.begin(), before.end());
    while (!stop_.should_stop() && queue_changed(last)) {
      last = labels();
      const std::size_t moved_now = drain_queue();
      moves += moved_now;
      if (moved_now == 0) {
        return moves;
      }
    }
  }
  return moves + move_until_stable();
}

template bool LocalMoving<SparseLevel>::sees_all_clusters() const;
template std::size_t LocalMoving<SparseLevel>::move_until_stable();
template void LocalMoving<SparseLevel>::track_sizes();
template bool LocalMoving<SparseLevel>::repels_all() const;
template auto LocalMoving<SparseLevel>::most_left(double&) const -> Bound;
template void LocalMoving<SparseLevel>::bound_losses_to_neighbors();
template std::size_t LocalMoving<SparseLevel>::requeue_unproven();
template bool LocalMoving<SparseLevel>::queue_changed(std::span<const ClusterId>);
template std::size_t LocalMoving<SparseLevel>::move_changed(std::span<const ClusterId>);
template bool LocalMoving<DenseLevel>::sees_all_clusters() const;
template std::size_t LocalMoving<DenseLevel>::move_until_stable();
template void LocalMoving<DenseLevel>::track_sizes();
template bool LocalMoving<DenseLevel>::repels_all() const;
template auto LocalMoving<DenseLevel>::most_left(double&) const -> Bound;
template void LocalMoving<DenseLevel>::bound_losses_to_neighbors();
template std::size_t LocalMoving<DenseLevel>::requeue_unproven();
template bool LocalMoving<DenseLevel>::queue_changed(std::span<const ClusterId>);
template std::size_t LocalMoving<DenseLevel>::move_changed(std::span<const ClusterId>);

}  // namespace shiftcut

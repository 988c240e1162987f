// Moves once they are chosen: which of a batch are made, and what one changes. See
// local_moving.hpp.
#include <algorithm>
#include <cmath>

#include "multilevel/local_moving.hpp"

namespace shiftcut {

// A node that does not move although it would stays queued.
template <class Level>
void LocalMoving<Level>::accept(std::span<const ObjectId> batch) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const ObjectId v = batch[i];
    const Proposal& proposal = proposals_[i];
    if (!proposal.moves) {
      continue;
    }
    const bool has_gain = !proposal.is_deferred && gain(v, proposal) > nodes_.tolerance;
    if (has_gain && (!groups_only_ || is_single(v))) {
      make(v, proposal);
    } else {
      is_queued_[v] = 1;
    }
  }
}

// One by one, evaluated again where the gain is gone.
template <class Level>
void LocalMoving<Level>::move_dense(std::span<const ObjectId> batch) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    Proposal& proposal = proposals_[i];
    apply_batch_moves(batch[i], proposal);
    if (!proposal.moves) {
      continue;
    }
    if (gain(batch[i], proposal) <= nodes_.tolerance) {
      proposal = evaluate(batch[i], near_[0]);
    }
    if (proposal.moves) {
      make(batch[i], proposal);
    }
  }
}

// With the clusters as they are now; an empty cluster has affinity 0.
template <class Level>
double LocalMoving<Level>::gain(ObjectId v, const Proposal& proposal) const {
  const Volume rest = without(cluster(labels_[v]), v);
  const double stay = affinity(v, proposal.own_weight, rest);
  if (proposal.to == kNoCluster) {
    return rest.size > 0 && has_empty() ? -stay : 0.0;
  }
  return affinity(v, proposal.to_weight, cluster(proposal.to)) - stay;
}

// Every node is every other's neighbour here, so the sums are updated instead of gathered again.
template <class Level>
void LocalMoving<Level>::apply_batch_moves(ObjectId v, Proposal& proposal) const {
  if constexpr (Level::kIsDense) {
    for (const Move& m : moves_) {
      const double weight = level_.weight(v, m.node);
      proposal.own_weight += m.to == labels_[v] ? weight : 0.0;
      proposal.own_weight -= m.from == labels_[v] ? weight : 0.0;
      proposal.to_weight += m.to == proposal.to ? weight : 0.0;
      proposal.to_weight -= m.from == proposal.to ? weight : 0.0;
    }
  }
}

template <class Level>
void LocalMoving<Level>::begin_trial() {
  if (has_margins_) {  // undo() does not restore margins
    has_margins_ = false;
    tracks_sizes_ = false;
    std::fill(margins_.begin(), margins_.end(), kNoMargin);
  }
  in_trial_ = true;
  trial_.clear();
  lowered_ = 0;
}

template <class Level>
void LocalMoving<Level>::undo() {
  for (std::size_t i = trial_.size(); i > 0; --i) {
    relabel(trial_[i - 1].node, trial_[i - 1].from);
  }
  begin_trial();
}

template <class Level>
void LocalMoving<Level>::place(ObjectId v, ClusterId to) {
  if (labels_[v] == to) {
    return;
  }
  Proposal proposal;
  proposal.to = to;
  level_.for_each_edge(v, [&](ObjectId u, double weight) {
    proposal.own_weight += labels_[u] == labels_[v] ? weight : 0.0;
    proposal.to_weight += labels_[u] == to ? weight : 0.0;
  });
  make(v, proposal);
  queue_neighbors(moves_.back());
  moves_.clear();
  if (is_queued_[v] == 0) {
    is_queued_[v] = 1;
    next_.push_back(v);
  }
}

template <class Level>
void LocalMoving<Level>::make(ObjectId v, const Proposal& proposal) {
  lowered_ += 2 * gain(v, proposal);
  const ClusterId to = proposal.to == kNoCluster ? empty_cluster() : proposal.to;
  moves_.push_back({v, labels_[v], to});
  if (in_trial_) {
    trial_.push_back(moves_.back());
  }
  relabel(v, to);
}

template <class Level>
void LocalMoving<Level>::relabel(ObjectId v, ClusterId to) {
  const ClusterId from = labels_[v];
  const Volume rest = without(cluster(from), v);
  set(from, rest);
  if (rest.size == 0) {
    empty_.push_back(from);
    --used_;
  }
  used_ += sizes_[to] == 0 ? 1 : 0;
  add_to(to, nodes_.volume[v]);
  labels_[v] = to;
  if (tracks_sizes_) {
    changes_[from].left.add(nodes_.volume[v]);
    changes_[to].joined.add(nodes_.volume[v]);
    if (!repels_) {  // what joins may attract, and what leaves may be missed
      changes_[from].joined.add(nodes_.volume[v]);
      changes_[to].left.add(nodes_.volume[v]);
    }
  }
}

template <class Level>
ClusterId LocalMoving<Level>::empty_cluster() {
  while (sizes_[empty_.back()] != 0) {
    empty_.pop_back();
  }
  return empty_.back();
}

template void LocalMoving<SparseLevel>::accept(std::span<const ObjectId>);
template void LocalMoving<SparseLevel>::move_dense(std::span<const ObjectId>);
template void LocalMoving<SparseLevel>::begin_trial();
template void LocalMoving<SparseLevel>::undo();
template void LocalMoving<SparseLevel>::place(ObjectId, ClusterId);
template void LocalMoving<SparseLevel>::make(ObjectId, const Proposal&);
template ClusterId LocalMoving<SparseLevel>::empty_cluster();
template double LocalMoving<SparseLevel>::gain(ObjectId, const Proposal&) const;
template void LocalMoving<SparseLevel>::apply_batch_moves(ObjectId, Proposal&) const;
template void LocalMoving<SparseLevel>::relabel(ObjectId, ClusterId);
template void LocalMoving<DenseLevel>::accept(std::span<const ObjectId>);
template void LocalMoving<DenseLevel>::move_dense(std::span<const ObjectId>);
template void LocalMoving<DenseLevel>::begin_trial();
template void LocalMoving<DenseLevel>::undo();
template void LocalMoving<DenseLevel>::place(ObjectId, ClusterId);
template void LocalMoving<DenseLevel>::make(ObjectId, const Proposal&);
template ClusterId LocalMoving<DenseLevel>::empty_cluster();
template double LocalMoving<DenseLevel>::gain(ObjectId, const Proposal&) const;
template void LocalMoving<DenseLevel>::apply_batch_moves(ObjectId, Proposal&) const;
template void LocalMoving<DenseLevel>::relabel(ObjectId, ClusterId);

}  // namespace shiftcut

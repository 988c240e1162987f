// The work queue, and what a move changes; evaluate_node.cpp has the choice of a cluster.
#include "multilevel/local_moving.hpp"

#include <algorithm>
#include <cmath>

#include "descent/sweep_order.hpp"
#include "multilevel/tuning.hpp"

namespace shiftcut {

namespace {

constexpr float kNoMargin = -1e30F;  // nothing is known

std::size_t batch_size(std::size_t n) { return std::clamp(n / 128, kSmallestBatch, kLargestBatch); }

}  // namespace

template <class Level>
LocalMoving<Level>::LocalMoving(const Level& level, std::span<const ClusterId> labels,
                                std::size_t clusters, const Context& context)
    : level_(level),
      nodes_(level.nodes()),
      labels_(labels.begin(), labels.end()),
      rng_(context.rng),
      team_(context.team),
      stop_(context.stop),
      sizes_(clusters, 0),
      degrees_(level.nodes().terms.per_degree != 0 ? clusters : 0, 0.0),
      is_queued_(level.size(), 0),
      margins_(Level::kIsDense ? 0 : level.size(), kNoMargin),
      touched_(Level::kIsDense ? 0 : level.size(), 0),
      near_(static_cast<std::size_t>(context.team.threads())) {
  for (ObjectId v = 0; v < level.size(); ++v) {
    add_to(labels_[v], nodes_.volume[v]);
  }
  for (std::size_t k = clusters; k > 0; --k) {
    if (sizes_[k - 1] == 0) {
      empty_.push_back(static_cast<ClusterId>(k - 1));
    }
  }
  used_ = clusters - empty_.size();
  compares_all_ = clusters <= kCompareAllClusters && clusters < level.size();
}

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
    if (volume.size * terms.flat + terms.per_degree * volume.degree < 0 ||
        terms.per_degree * volume.degree < 0) {
      return false;
    }
  }
  return true;
}

template <class Level>
void LocalMoving<Level>::queue_all() {
  SweepOrder order(level_.size());
  order.shuffle(rng_);
  queue_.resize(level_.size());
  order.fill(0, queue_.size(), queue_.data());
  std::fill(is_queued_.begin(), is_queued_.end(), 1);
}

template <class Level>
std::size_t LocalMoving<Level>::move_all() {
  queue_all();
  return drain_queue();
}

template <class Level>
void LocalMoving<Level>::move_once() {
  queue_all();
  process_queue();
  clear_queue();
}

template <class Level>
std::size_t LocalMoving<Level>::move_placed() {
  queue_.swap(next_);
  next_.clear();
  return drain_queue();
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
  changes_.assign(tracks_sizes_ ? sizes_.size() : 0, Volume{});
  largest_change_ = {};
  std::fill(margins_.begin(), margins_.end(), kNoMargin);
}

// Requeues nodes whose margin may be used up: the affinities to its own cluster and to the best
// other one have changed by no more than the clusters have.
template <class Level>
std::size_t LocalMoving<Level>::requeue_unproven() {
  const ShiftTerms& terms = nodes_.terms;
  for (ObjectId v = 0; v < level_.size(); ++v) {
    const Volume& volume = nodes_.volume[v];
    const Volume& own = changes_[labels_[v]];
    const double per_size = std::abs(volume.size * terms.flat + terms.per_degree * volume.degree);
    const double change =
        per_size * (own.size + largest_change_.size) +
        std::abs(volume.size * terms.per_degree) * (own.degree + largest_change_.degree);
    margins_[v] = at_most(margins_[v] - change);
    if (margins_[v] < 0) {
      is_queued_[v] = 1;
      queue_.push_back(v);
    }
  }
  std::fill(changes_.begin(), changes_.end(), Volume{});
  largest_change_ = {};
  return queue_.size();
}

// One pass over the queue, batch by batch. Returns the number of moves.
template <class Level>
std::size_t LocalMoving<Level>::process_queue() {
  const std::size_t size = batch_size(level_.size());
  std::size_t moves = 0;
  for (std::size_t begin = 0; begin < queue_.size() && !stop_.should_stop(); begin += size) {
    const auto batch = std::span(queue_).subspan(begin, std::min(size, queue_.size() - begin));
    ++batch_;
    evaluate_batch(batch);
    moves += move_batch(batch);
  }
  visits_ += queue_.size();
  return moves;
}

template <class Level>
std::size_t LocalMoving<Level>::drain_queue() {
  std::size_t moves = 0;
  while (!queue_.empty() && !stop_.should_stop()) {
    const std::size_t moved_now = process_queue();
    moves += moved_now;
    if constexpr (Level::kIsDense) {
      if (moved_now == 0) {
        break;  // otherwise all nodes stay queued, in the same order
      }
    } else {
      queue_.swap(next_);
      next_.clear();
    }
  }
  clear_queue();
  return moves;
}

// Nodes are left in the queue if the search was stopped.
template <class Level>
void LocalMoving<Level>::clear_queue() {
  for (const auto* left : {&queue_, &next_}) {
    for (const ObjectId v : *left) {
      is_queued_[v] = 0;
    }
  }
  queue_.clear();
  next_.clear();
}

template <class Level>
std::size_t LocalMoving<Level>::move_batch(std::span<const ObjectId> batch) {
  moves_.clear();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const ObjectId v = batch[i];
    Proposal& proposal = proposals_[i];
    is_queued_[v] = 0;
    bool again = false;
    if constexpr (Level::kIsDense) {
      apply_batch_moves(v, proposal);
    } else {
      again = touched_[v] == batch_ && (proposal.moves || margins_[v] < 0);
    }
    if (!again && !proposal.moves) {
      continue;
    }
    if (again || gain(v, proposal) <= nodes_.tolerance) {
      proposal = evaluate(v, near_[0]);
      if (!proposal.moves) {
        continue;
      }
    }
    const ClusterId to = proposal.to == kNoCluster ? empty_cluster() : proposal.to;
    moves_.push_back({v, labels_[v], to});
    lowered_ += 2 * gain(v, proposal);
    move(v, to);
  }
  return moves_.size();
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
  lowered_ += 2 * gain(v, proposal);
  move(v, to);
  if (is_queued_[v] == 0) {
    is_queued_[v] = 1;
    next_.push_back(v);
  }
}

// Lowers a neighbour's margin after a move: its affinity to `from` has lost the weight, that to
// `to` has gained it. Returns whether the neighbour may have a better cluster now.
template <class Level>
__attribute__((always_inline)) inline bool LocalMoving<Level>::lower_margin(ObjectId u,
                                                                            float weight,
                                                                            ClusterId from,
                                                                            ClusterId to) {
  const ClusterId own = labels_[u];
  const float others = -std::abs(weight);
  float change = own == to ? weight + std::min(weight, 0.0F) : others;
  change = own == from ? -weight - std::max(weight, 0.0F) : change;
  touched_[u] = batch_;
  const float margin = margins_[u] + change;
  margins_[u] = margin - std::abs(margin) * 0x1p-22F;
  return margin < 0 && (has_margins_ || own != to);
}

template <class Level>
void LocalMoving<Level>::move(ObjectId v, ClusterId to) {
  const ClusterId from = labels_[v];
  if (in_trial_) {
    trial_.push_back({v, from, to});
  }
  relabel(v, to);
  if constexpr (!Level::kIsDense) {
    std::size_t count = next_.size();
    next_.resize(count + level_.edges_of(v));
    level_.for_each_edge(v, [&](ObjectId u, double weight) {
      const bool is_requeued = lower_margin(u, static_cast<float>(weight), from, to) &&
                               is_queued_[u] == 0 && !is_other_region(v, u);
      is_queued_[u] = is_requeued ? 1 : is_queued_[u];
      next_[count] = u;
      count += is_requeued ? 1 : 0;
    });
    next_.resize(count);
  }
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
    for (const ClusterId k : {from, to}) {
      changes_[k].size += nodes_.volume[v].size;
      changes_[k].degree += std::abs(nodes_.volume[v].degree);
      largest_change_.size = std::max(largest_change_.size, changes_[k].size);
      largest_change_.degree = std::max(largest_change_.degree, changes_[k].degree);
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

template class LocalMoving<SparseLevel>;
template class LocalMoving<DenseLevel>;

}  // namespace shiftcut

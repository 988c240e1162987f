#include "search/local_moving.hpp"

#include <algorithm>

#include "search/sweep_order.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kLookFarAtMost = 64;  // clusters that are simply all tried
constexpr std::size_t kLargestBatch = 2048;
constexpr std::size_t kSmallestBatch = 32;
constexpr std::size_t kTask = 64;  // nodes judged by a thread at a time

std::size_t batch_size(std::size_t n) { return std::clamp(n / 128, kSmallestBatch, kLargestBatch); }

}  // namespace

template <class Level>
LocalMoving<Level>::LocalMoving(const Level& level, std::span<const ClusterId> labels,
                                std::size_t clusters, ThreadTeam& team, StopCheck& stop)
    : level_(level),
      nodes_(level.nodes()),
      labels_(labels.begin(), labels.end()),
      team_(team),
      stop_(stop),
      clusters_(clusters),
      is_queued_(level.size(), 0),
      touched_(Level::kIsDense ? 0 : level.size(), 0),
      near_(static_cast<std::size_t>(team.threads())) {
  for (ObjectId v = 0; v < level.size(); ++v) {
    clusters_[labels_[v]].size += nodes_.mass[v].size;
    clusters_[labels_[v]].degree += nodes_.mass[v].degree;
  }
  for (std::size_t k = clusters; k > 0; --k) {
    if (clusters_[k - 1].size == 0) {
      empty_.push_back(static_cast<ClusterId>(k - 1));
    }
  }
  used_ = clusters - empty_.size();
  look_far_ = clusters <= kLookFarAtMost && clusters < level.size();
}

template <class Level>
bool LocalMoving<Level>::can_see_all() const {
  if (look_far_ || Level::kIsDense) {
    return true;
  }
  if (clusters_.size() < level_.size()) {
    return false;
  }
  // With an empty cluster at hand, none that repels can be best.
  for (ObjectId v = 0; v < level_.size(); ++v) {
    if (nodes_.mass[v].size * nodes_.terms.flat + nodes_.terms.per_degree * nodes_.mass[v].degree <
            0 ||
        nodes_.mass[v].degree < 0) {
      return false;
    }
  }
  return true;
}

template <class Level>
void LocalMoving<Level>::queue_all(Rng& rng) {
  SweepOrder order(level_.size());
  order.shuffle(rng);
  queue_.resize(level_.size());
  order.fill(0, queue_.size(), queue_.data());
  std::fill(is_queued_.begin(), is_queued_.end(), 1);
}

template <class Level>
std::size_t LocalMoving<Level>::move_all(Rng& rng) {
  queue_all(rng);
  return work_off();
}

template <class Level>
void LocalMoving<Level>::move_once(Rng& rng) {
  queue_all(rng);
  work_off_queue();
  forget_queued();
}

template <class Level>
std::size_t LocalMoving<Level>::move_placed() {
  queue_.swap(next_);
  next_.clear();
  return work_off();
}

template <class Level>
std::size_t LocalMoving<Level>::move_until_still(Rng& rng) {
  std::size_t moves = 0;
  while (!stop_.should_stop()) {
    const std::size_t now = move_all(rng);
    moves += now;
    if (now == 0) {
      break;
    }
  }
  return moves;
}

// Those in the queue, batch by batch. Returns the number of moves.
template <class Level>
std::size_t LocalMoving<Level>::work_off_queue() {
  const std::size_t size = batch_size(level_.size());
  std::size_t moves = 0;
  for (std::size_t begin = 0; begin < queue_.size() && !stop_.should_stop(); begin += size) {
    const auto batch = std::span(queue_).subspan(begin, std::min(size, queue_.size() - begin));
    ++batch_;
    judge_batch(batch);
    moves += walk_batch(batch);
  }
  judged_ += queue_.size();
  return moves;
}

template <class Level>
std::size_t LocalMoving<Level>::work_off() {
  std::size_t moves = 0;
  while (!queue_.empty() && !stop_.should_stop()) {
    const std::size_t moved_now = work_off_queue();
    moves += moved_now;
    if constexpr (Level::kIsDense) {
      if (moved_now == 0) {
        break;  // else all come up again, in the same order
      }
    } else {
      queue_.swap(next_);
      next_.clear();
    }
  }
  forget_queued();
  return moves;
}

// Some are left if told to stop.
template <class Level>
void LocalMoving<Level>::forget_queued() {
  for (const auto* left : {&queue_, &next_}) {
    for (const ObjectId v : *left) {
      is_queued_[v] = 0;
    }
  }
  queue_.clear();
  next_.clear();
}

template <class Level>
void LocalMoving<Level>::judge_batch(std::span<const ObjectId> batch) {
  verdicts_.resize(batch.size());
  const std::size_t tasks = (batch.size() + kTask - 1) / kTask;
  const auto judge_task = [&](std::size_t task, int worker) {
    NearClusters& near = near_[static_cast<std::size_t>(worker)];
    near.make_room(clusters_.size());
    const std::size_t end = std::min(batch.size(), (task + 1) * kTask);
    for (std::size_t i = task * kTask; i < end; ++i) {
      if (i + 4 < end) {
        level_.prefetch_edges(batch[i + 4]);
      }
      if (i + 2 < end) {
        level_.for_each_neighbor(batch[i + 2],
                                 [&](ObjectId u) { __builtin_prefetch(&labels_[u]); });
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

template <class Level>
std::size_t LocalMoving<Level>::walk_batch(std::span<const ObjectId> batch) {
  moves_.clear();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const ObjectId v = batch[i];
    Verdict& verdict = verdicts_[i];
    is_queued_[v] = 0;
    bool again = false;
    if constexpr (Level::kIsDense) {
      bring_up_to_date(v, verdict);
    } else {
      again = touched_[v] == batch_;
    }
    if (!again && !verdict.moves) {
      continue;
    }
    if (again || gain(v, verdict) <= nodes_.tolerance) {
      near_[0].make_room(clusters_.size());
      verdict = judge(v, near_[0]);
      if (!verdict.moves) {
        continue;
      }
    }
    const ClusterId to = verdict.to == kNoCluster ? empty_cluster() : verdict.to;
    moves_.push_back({v, labels_[v], to});
    lowered_ += 2 * gain(v, verdict);
    move(v, to);
  }
  return moves_.size();
}

// Everyone is everyone's neighbour here, so the sums are mended instead of gathered anew.
template <class Level>
void LocalMoving<Level>::bring_up_to_date(ObjectId v, Verdict& verdict) const {
  if constexpr (Level::kIsDense) {
    for (const Move& m : moves_) {
      const double weight = level_.weight(v, m.node);
      verdict.own_weight += m.to == labels_[v] ? weight : 0.0;
      verdict.own_weight -= m.from == labels_[v] ? weight : 0.0;
      verdict.to_weight += m.to == verdict.to ? weight : 0.0;
      verdict.to_weight -= m.from == verdict.to ? weight : 0.0;
    }
  }
}

// The best of the clusters of neighbours, of an empty one, and, where they are few, of all others.
template <class Level>
auto LocalMoving<Level>::judge(ObjectId v, NearClusters& near) const -> Verdict {
  const ClusterId own = labels_[v];
  near.begin(level_.edges_of(v) + 1, clusters_.size());
  near.add(own, 0);
  if (parts_.empty()) {
    level_.for_each_edge(v, [&](ObjectId u, double weight) {
      __builtin_prefetch(&clusters_[labels_[u]]);
      near.add(labels_[u], weight);
    });
  } else {
    level_.for_each_edge(v, [&](ObjectId u, double weight) {
      if (parts_[u] == parts_[v]) {
        near.add(labels_[u], weight);
      }
    });
  }

  Verdict verdict;
  verdict.own_weight = near.all().front().weight;
  verdict.to = own;
  const Mass rest = without(clusters_[own], v);
  const double stay = affinity(v, verdict.own_weight, rest);
  double best = stay;
  const auto consider = [&](ClusterId k, double weight, double a) {
    if (a > best || (a == best && verdict.to != own && k < verdict.to)) {
      best = a;
      verdict.to = k;
      verdict.to_weight = weight;
    }
  };
  for (std::size_t i = 1; i < near.all().size(); ++i) {
    const auto [k, weight] = near.all()[i];
    consider(k, weight, affinity(v, weight, clusters_[k]));
  }
  if (rest.size > 0 && has_empty()) {
    consider(kNoCluster, 0.0, 0.0);
  }
  if (look_far_ && parts_.empty()) {
    for (ClusterId k = 0; k < clusters_.size(); ++k) {
      if (clusters_[k].size > 0 && !near.has(k)) {
        consider(k, 0.0, affinity(v, 0.0, clusters_[k]));
      }
    }
  }
  verdict.moves = best - stay > nodes_.tolerance;
  return verdict;
}

// With the clusters as they are now; -infinity is never needed: an empty cluster has affinity 0.
template <class Level>
double LocalMoving<Level>::gain(ObjectId v, const Verdict& verdict) const {
  const Mass rest = without(clusters_[labels_[v]], v);
  const double stay = affinity(v, verdict.own_weight, rest);
  if (verdict.to == kNoCluster) {
    return rest.size > 0 && has_empty() ? -stay : 0.0;
  }
  return affinity(v, verdict.to_weight, clusters_[verdict.to]) - stay;
}

template <class Level>
void LocalMoving<Level>::begin_trial() {
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
  Verdict verdict;
  verdict.to = to;
  level_.for_each_edge(v, [&](ObjectId u, double weight) {
    verdict.own_weight += labels_[u] == labels_[v] ? weight : 0.0;
    verdict.to_weight += labels_[u] == to ? weight : 0.0;
  });
  lowered_ += 2 * gain(v, verdict);
  move(v, to);
  if (is_queued_[v] == 0) {
    is_queued_[v] = 1;
    next_.push_back(v);
  }
}

template <class Level>
void LocalMoving<Level>::move(ObjectId v, ClusterId to) {
  if (in_trial_) {
    trial_.push_back({v, labels_[v], to});
  }
  relabel(v, to);
  if constexpr (!Level::kIsDense) {
    level_.for_each_edge(v, [&](ObjectId u, double) {
      touched_[u] = batch_;
      if (is_queued_[u] == 0 && labels_[u] != to) {
        is_queued_[u] = 1;
        next_.push_back(u);
      }
    });
  }
}

template <class Level>
void LocalMoving<Level>::relabel(ObjectId v, ClusterId to) {
  const ClusterId from = labels_[v];
  clusters_[from] = without(clusters_[from], v);
  if (clusters_[from].size == 0) {
    empty_.push_back(from);
    --used_;
  }
  used_ += clusters_[to].size == 0 ? 1 : 0;
  clusters_[to].size += nodes_.mass[v].size;
  clusters_[to].degree += nodes_.mass[v].degree;
  labels_[v] = to;
}

template <class Level>
ClusterId LocalMoving<Level>::empty_cluster() {
  while (clusters_[empty_.back()].size != 0) {
    empty_.pop_back();
  }
  return empty_.back();
}

template <class Level>
double LocalMoving<Level>::affinity(ObjectId v, double weight, const Mass& cluster) const {
  const ShiftTerms& terms = nodes_.terms;
  return weight -
         cluster.size *
             (nodes_.mass[v].size * terms.flat + terms.per_degree * nodes_.mass[v].degree) -
         nodes_.mass[v].size * terms.per_degree * cluster.degree;
}

// An emptied cluster has no degree left over from rounding.
template <class Level>
auto LocalMoving<Level>::without(const Mass& cluster, ObjectId v) const -> Mass {
  const double size = cluster.size - nodes_.mass[v].size;
  return {size, size == 0 ? 0.0 : cluster.degree - nodes_.mass[v].degree};
}

template class LocalMoving<SparseLevel>;
template class LocalMoving<DenseLevel>;

}  // namespace shiftcut

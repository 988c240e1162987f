// What comes up when, and what a move changes: see local_moving.hpp. Where a node wants to go:
// judge_node.cpp.
#include "multilevel/local_moving.hpp"

#include <algorithm>
#include <cmath>

#include "descent/sweep_order.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kLookFarAtMost = 64;  // clusters that are simply all tried
constexpr std::size_t kLargestBatch = 2048;
constexpr std::size_t kSmallestBatch = 32;
constexpr std::size_t kWindow = 8192;     // nodes worked on together where there are many
constexpr std::size_t kFewOfWindow = 16;  // a part of them so small that they can wait
constexpr float kUnsure = -1e30F;         // a margin of which nothing is known

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
      margins_(Level::kIsDense ? 0 : level.size(), kUnsure),
      touched_(Level::kIsDense ? 0 : level.size(), 0),
      near_(static_cast<std::size_t>(context.team.threads())) {
  for (ObjectId v = 0; v < level.size(); ++v) {
    add_to(labels_[v], nodes_.mass[v]);
  }
  for (std::size_t k = clusters; k > 0; --k) {
    if (sizes_[k - 1] == 0) {
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
  if (sizes_.size() < level_.size()) {
    return false;
  }
  // With an empty cluster at hand, none that repels can be best.
  const ShiftTerms& terms = nodes_.terms;
  for (const Mass& mass : nodes_.mass) {
    if (mass.size * terms.flat + terms.per_degree * mass.degree < 0 ||
        terms.per_degree * mass.degree < 0) {
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
  if (!Level::kIsDense && level_.size() > 4 * kWindow) {
    const std::size_t moves = move_by_windows();
    return moves + work_off();
  }
  queue_all();
  return work_off();
}

// All nodes, so many of consecutive numbers at a time until few of these want to move: as a rule
// most of their neighbours are among them, and what is known of them is still at hand. Those that
// come up again later are left in the queue.
template <class Level>
std::size_t LocalMoving<Level>::move_by_windows() {
  std::size_t moves = 0;
  std::vector<ObjectId> later;
  std::fill(is_queued_.begin(), is_queued_.end(), 1);
  for (std::size_t begin = 0; begin < level_.size() && !stop_.should_stop(); begin += kWindow) {
    const std::size_t count = std::min(kWindow, level_.size() - begin);
    SweepOrder order(count);
    order.shuffle(rng_);
    queue_.resize(count);
    order.fill(0, count, queue_.data());
    for (ObjectId& v : queue_) {
      v += static_cast<ObjectId>(begin);
    }
    while (queue_.size() > count / kFewOfWindow) {
      moves += work_off_queue();
      queue_.clear();
      for (const ObjectId u : next_) {
        (u - begin < count ? queue_ : later).push_back(u);
      }
      next_.clear();
    }
    later.insert(later.end(), queue_.begin(), queue_.end());
  }
  queue_ = std::move(later);
  return moves;
}

template <class Level>
void LocalMoving<Level>::move_once() {
  queue_all();
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
std::size_t LocalMoving<Level>::move_until_still() {
  watch_sizes();
  std::size_t moves = move_all();
  for (std::size_t now = moves; now > 0 && !stop_.should_stop(); moves += now) {
    if (watches_sizes_) {
      now = queue_unsure() > 0 ? work_off() : 0;
    } else {
      now = move_all();
    }
  }
  return moves;
}

template <class Level>
void LocalMoving<Level>::watch_sizes() {
  watches_sizes_ = has_margins_;
  changes_.assign(watches_sizes_ ? sizes_.size() : 0, Mass{});
  largest_change_ = {};
  std::fill(margins_.begin(), margins_.end(), kUnsure);
}

// Those whose margin may be gone: the affinity to its own cluster and to the best other one have
// changed by no more than the clusters have.
template <class Level>
std::size_t LocalMoving<Level>::queue_unsure() {
  const ShiftTerms& terms = nodes_.terms;
  for (ObjectId v = 0; v < level_.size(); ++v) {
    const Mass& mass = nodes_.mass[v];
    const Mass& own = changes_[labels_[v]];
    const double per_size = std::abs(mass.size * terms.flat + terms.per_degree * mass.degree);
    const double change =
        per_size * (own.size + largest_change_.size) +
        std::abs(mass.size * terms.per_degree) * (own.degree + largest_change_.degree);
    margins_[v] = at_most(margins_[v] - change);
    if (margins_[v] < 0) {
      is_queued_[v] = 1;
      queue_.push_back(v);
    }
  }
  std::fill(changes_.begin(), changes_.end(), Mass{});
  largest_change_ = {};
  return queue_.size();
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
std::size_t LocalMoving<Level>::walk_batch(std::span<const ObjectId> batch) {
  moves_.clear();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const ObjectId v = batch[i];
    Verdict& verdict = verdicts_[i];
    if (i + 2 < batch.size() && verdicts_[i + 2].moves) {
      level_.for_each_neighbor(batch[i + 2],
                               [&](ObjectId u) { __builtin_prefetch(&margins_[u], 1); });
    }
    is_queued_[v] = 0;
    bool again = false;
    if constexpr (Level::kIsDense) {
      bring_up_to_date(v, verdict);
    } else {
      again = touched_[v] == batch_ && (verdict.moves || margins_[v] < 0);
    }
    if (!again && !verdict.moves) {
      continue;
    }
    if (again || gain(v, verdict) <= nodes_.tolerance) {
      near_[0].make_room(sizes_.size());
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

// With the clusters as they are now; -infinity is never needed: an empty cluster has affinity 0.
template <class Level>
double LocalMoving<Level>::gain(ObjectId v, const Verdict& verdict) const {
  const Mass rest = without(cluster(labels_[v]), v);
  const double stay = affinity(v, verdict.own_weight, rest);
  if (verdict.to == kNoCluster) {
    return rest.size > 0 && has_empty() ? -stay : 0.0;
  }
  return affinity(v, verdict.to_weight, cluster(verdict.to)) - stay;
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

template <class Level>
void LocalMoving<Level>::begin_trial() {
  if (has_margins_) {  // what is taken back would be missing from them
    has_margins_ = false;
    watches_sizes_ = false;
    std::fill(margins_.begin(), margins_.end(), kUnsure);
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

// What a move takes off a neighbour's margin: the affinity to `from` has lost the weight, that to
// `to` has gained it. Returns whether the neighbour may want to move.
template <class Level>
__attribute__((always_inline)) inline bool LocalMoving<Level>::tell_neighbor(ObjectId u,
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
      const bool comes_up = tell_neighbor(u, static_cast<float>(weight), from, to) &&
                            is_queued_[u] == 0 && !is_other_part(v, u);
      is_queued_[u] = comes_up ? 1 : is_queued_[u];
      next_[count] = u;
      count += comes_up ? 1 : 0;
    });
    next_.resize(count);
  }
}

template <class Level>
void LocalMoving<Level>::relabel(ObjectId v, ClusterId to) {
  const ClusterId from = labels_[v];
  const Mass rest = without(cluster(from), v);
  set(from, rest);
  if (rest.size == 0) {
    empty_.push_back(from);
    --used_;
  }
  used_ += sizes_[to] == 0 ? 1 : 0;
  add_to(to, nodes_.mass[v]);
  labels_[v] = to;
  if (watches_sizes_) {
    for (const ClusterId k : {from, to}) {
      changes_[k].size += nodes_.mass[v].size;
      changes_[k].degree += std::abs(nodes_.mass[v].degree);
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

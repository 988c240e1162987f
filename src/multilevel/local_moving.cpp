// The passes over the work queue; evaluate_node.cpp chooses clusters, make_moves.cpp makes the
// moves, local_optimum.cpp proves that none is left.
#include "multilevel/local_moving.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "descent/sweep_order.hpp"
#include "multilevel/tuning.hpp"

namespace shiftcut {

namespace {

// Few enough that a node and one of its neighbours seldom want to move in the same batch.
std::size_t batch_size(std::size_t nodes, std::size_t edges) {
  const double with_few_conflicts = static_cast<double>(nodes) * static_cast<double>(nodes) /
                                    (8.0 * static_cast<double>(edges + 1));
  return static_cast<std::size_t>(std::clamp(
      with_few_conflicts, static_cast<double>(kSmallestBatch), static_cast<double>(kLargestBatch)));
}

}  // namespace

template <class Level>
LocalMoving<Level>::LocalMoving(const Level& level, std::span<const ClusterId> labels,
                                std::size_t clusters, const Context& context)
    : level_(level),
      nodes_(level.nodes()),
      labels_(labels.size()),
      rng_(context.rng),
      team_(context.team),
      stop_(context.stop),
      sizes_(clusters),
      degrees_(level.nodes().terms.count_degrees() ? clusters : 0),
      is_queued_(level.size()),
      margins_(Level::kIsDense ? 0 : level.size()),
      units_(level.largest_weight() > 0 ? std::min(kUnitsPerWeight / level.largest_weight(),
                                                   std::numeric_limits<double>::max())
                                        : 0),
      targets_(Level::kIsDense ? 0 : level.size()),
      moves_in_(Level::kIsDense ? 0 : level.size()),
      near_(static_cast<std::size_t>(context.team.threads())) {
  for_each_node([&](ObjectId v) {
    labels_[v] = labels[v];
    is_queued_[v] = 0;
    if constexpr (!Level::kIsDense) {
      margins_[v] = kNoMargin;
      moves_in_[v] = 0;
    }
  });
  sum_volumes();
  for (std::size_t k = clusters; k > 0; --k) {
    if (sizes_[k - 1] == 0) {
      empty_.push_back(static_cast<ClusterId>(k - 1));
    }
  }
  used_ = clusters - empty_.size();
  compares_all_ = clusters <= kCompareAllClusters && clusters < level.size();
}

// Each thread sums those of a range of clusters, in the order of the nodes, as one thread would.
template <class Level>
void LocalMoving<Level>::sum_volumes() {
  const std::size_t clusters = sizes_.size();
  const std::size_t n = level_.size();
  const std::size_t ranges =
      n > kNodesPerPiece ? static_cast<std::size_t>(team_.threads()) : std::size_t{1};
  team_.for_each(ranges, [&](std::size_t range, int) {
    const std::size_t begin = range * clusters / ranges;
    const std::size_t count = (range + 1) * clusters / ranges - begin;
    for (std::size_t k = begin; k < begin + count; ++k) {
      set(static_cast<ClusterId>(k), {});
    }
    for (ObjectId v = 0; v < n; ++v) {
      if (labels_[v] - begin < count) {
        add_to(labels_[v], nodes_.volume[v]);
      }
    }
  });
}

template <class Level>
void LocalMoving<Level>::queue_all() {
  if (!Level::kIsDense && level_.size() > kLongestSerialQueue) {
    for_each_node([&](ObjectId v) { is_queued_[v] = needs_visit(v) ? 1 : 0; });
    queue_marked();
    return;
  }
  std::fill(is_queued_.begin(), is_queued_.end(), 1);
  SweepOrder order(level_.size());
  order.shuffle(rng_);
  queue_.resize(level_.size());
  order.fill(0, queue_.size(), queue_.data());
  batch_begin_.clear();
}

// The queue of a pass: the marked nodes, in batches of random runs if there are many.
template <class Level>
void LocalMoving<Level>::queue_marked() {
  const std::size_t n = level_.size();
  const std::size_t pieces = pieces_of(n);
  const auto for_each_marked = [&](std::size_t piece, const auto& visit) {
    const std::size_t end = std::min(n, (piece + 1) * kNodesPerPiece);
    for (std::size_t v = piece * kNodesPerPiece; v < end; ++v) {
      if (is_queued_[v] != 0) {
        visit(static_cast<ObjectId>(v));
      }
    }
  };
  std::vector<std::size_t> counts(pieces);
  team_.for_each(pieces, [&](std::size_t piece, int) {
    std::size_t count = 0;
    for_each_marked(piece, [&](ObjectId) { ++count; });
    counts[piece] = count;
  });
  const std::size_t count = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  const bool is_short = count <= kLongestSerialQueue;
  const std::size_t batches = is_short ? 1 : pieces_of(count, batch_size(n, level_.edges()));
  const std::uint64_t salt = rng_.next();
  const auto batch_of = [&](ObjectId v) {
    return static_cast<std::size_t>((mix(salt ^ (v / kRunOfNodes)) >> 32) * batches >> 32);
  };
  // Counting sort: the nodes of a batch come in the order of their numbers.
  std::vector<std::size_t> places(pieces * batches, 0);
  team_.for_each(pieces, [&](std::size_t piece, int) {
    for_each_marked(piece, [&](ObjectId v) { ++places[piece * batches + batch_of(v)]; });
  });
  batch_begin_.assign(1, 0);
  std::size_t place = 0;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      place += std::exchange(places[piece * batches + batch], place);
    }
    batch_begin_.push_back(place);
  }
  queue_.resize(count);
  team_.for_each(pieces, [&](std::size_t piece, int) {
    for_each_marked(piece,
                    [&](ObjectId v) { queue_[places[piece * batches + batch_of(v)]++] = v; });
  });
  if (is_short) {
    batch_begin_.clear();
  }
}

template <class Level>
std::size_t LocalMoving<Level>::move_all() {
  queue_all();
  return drain_queue();
}

template <class Level>
std::size_t LocalMoving<Level>::move_most() {
  ends_early_ = true;
  const std::size_t moves = move_all();
  ends_early_ = false;
  return moves;
}

template <class Level>
void LocalMoving<Level>::move_once() {
  queue_all();
  process_queue();
  clear_queue();
}

template <class Level>
std::size_t LocalMoving<Level>::group_once() {
  groups_only_ = true;
  const std::size_t moves = move_all();
  groups_only_ = false;
  return moves;
}

template <class Level>
std::size_t LocalMoving<Level>::move_placed() {
  queue_.swap(next_);
  next_.clear();
  batch_begin_.clear();
  return drain_queue();
}

// One pass over the queue; what is requeued becomes the next queue. Returns the number of moves.
template <class Level>
std::size_t LocalMoving<Level>::process_queue() {
  visits_ += queue_.size();
  if (Level::kIsDense || !batch_begin_.empty()) {
    return process_in_batches();
  }
  return process_one_by_one();
}

template <class Level>
std::size_t LocalMoving<Level>::process_one_by_one() {
  std::size_t moves = 0;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    if (i % kNodesPerTask == 0 && stop_.should_stop()) {
      next_.insert(next_.end(), queue_.begin() + static_cast<std::ptrdiff_t>(i), queue_.end());
      break;
    }
    const ObjectId v = queue_[i];
    is_queued_[v] = 0;
    if (groups_only_ && !is_single(v)) {
      continue;
    }
    const Proposal proposal = evaluate(v, near_[0]);
    if (proposal.moves) {
      make(v, proposal);
      queue_neighbors(moves_.back());
      ++moves;
    }
  }
  queue_.swap(next_);
  next_.clear();
  moves_.clear();
  return moves;
}

template <class Level>
std::size_t LocalMoving<Level>::process_in_batches() {
  if constexpr (Level::kIsDense) {
    batch_begin_.clear();
    for (std::size_t at = 0; at < queue_.size(); at += kDenseBatch) {
      batch_begin_.push_back(at);
    }
    batch_begin_.push_back(queue_.size());
  }
  std::size_t moves = 0;
  std::size_t together = 1;  // batches evaluated as one, as few of their nodes would move
  const std::size_t batches = batch_begin_.size() - 1;
  for (std::size_t b = 0; b < batches && !stop_.should_stop();) {
    const std::size_t end = std::min(batches, b + together);
    const auto batch =
        std::span(queue_).subspan(batch_begin_[b], batch_begin_[end] - batch_begin_[b]);
    b = end;
    const std::size_t would_move = evaluate_batch(batch);
    moves_.clear();
    if constexpr (Level::kIsDense) {
      move_dense(batch);
    } else {
      defer_neighbors(batch);
      accept(batch);
      requeue_neighbors();
    }
    moves += moves_.size();
    if (would_move * kFewMove < batch.size() && batch.size() < kMostTogether) {
      together *= 2;
    } else if (would_move * kFewMove > 2 * batch.size()) {
      together = (together + 1) / 2;
    }
  }
  if constexpr (!Level::kIsDense) {
    queue_marked();
  }
  return moves;
}

template <class Level>
std::size_t LocalMoving<Level>::drain_queue() {
  std::size_t moves = 0;
  while (!queue_.empty() && !stop_.should_stop()) {
    const std::size_t moved_now = process_queue();
    moves += moved_now;
    if (ends_early_ && queue_.size() > kLongestSerialQueue &&
        queue_.size() / kQueuedPerMove > moved_now) {
      break;
    }
    if (Level::kIsDense && moved_now == 0) {
      break;  // otherwise all nodes stay queued, in the same order
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
  batch_begin_.clear();
}

template <class Level>
void LocalMoving<Level>::defer_neighbors(std::span<const ObjectId> batch) {
  for_each_task(batch.size(), [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!proposals_[i].moves) {
        continue;
      }
      const ObjectId v = batch[i];
      bool is_deferred = false;
      level_.for_each_edge(v, [&](ObjectId u, double weight) {
        is_deferred |= moves_in_[u] == batch_ && is_harmed(v, u, weight) && comes_before(u, v);
      });
      proposals_[i].is_deferred = is_deferred;
    }
  });
}

// Calls mark(u) for the neighbours whose margin is used up by a move. Safe from several threads.
template <class Level>
template <class Mark>
void LocalMoving<Level>::lower_margins(const Move& move, const Mark& mark) {
  level_.for_each_edge(move.node, [&](ObjectId u, double weight) {
    const std::int32_t lost = loss(u, weight, move.from, move.to);
    if (lost == 0 || is_other_region(move.node, u)) {
      return;
    }
    const std::atomic_ref<std::int32_t> margin(margins_[u]);
    if (margin.load(std::memory_order_relaxed) < 0 ||
        margin.fetch_sub(lost, std::memory_order_relaxed) < lost) {
      mark(u);
    }
  });
}

template <class Level>
void LocalMoving<Level>::requeue_neighbors() {
  if (groups_only_) {
    return;
  }
  for_each_task(moves_.size(), [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      lower_margins(moves_[i], [&](ObjectId u) {
        std::atomic_ref<char>(is_queued_[u]).store(1, std::memory_order_relaxed);
      });
    }
  });
}

template <class Level>
void LocalMoving<Level>::queue_neighbors(const Move& move) {
  if (Level::kIsDense || groups_only_) {
    return;
  }
  lower_margins(move, [&](ObjectId u) {
    if (is_queued_[u] == 0) {
      is_queued_[u] = 1;
      next_.push_back(u);
    }
  });
}

template class LocalMoving<SparseLevel>;
template class LocalMoving<DenseLevel>;

}  // namespace shiftcut

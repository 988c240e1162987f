// Local moving with a work queue: nodes of a level go to their best clusters; who has a neighbour
// that moved comes up again. (The fast form of Louvain's first phase, as in Traag, Waltman, van Eck
// 2019.)
//
// It goes by batches of the queue. A batch is judged on all threads as things stand, then walked in
// order: where a neighbour has moved since, or the gain is gone, the node is judged again in its
// turn. So every move lowers the cost, and the number of threads changes nothing.
//
// Judged, a node has a margin: how much better its cluster is than any other. What neighbours that
// move take off it is known, so a node comes up again only when its margin is gone. What changing
// sizes of clusters take off is bounded at the end: who is safe by that need not be looked at
// again to prove a local optimum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "core/partition.hpp"
#include "multilevel/level.hpp"
#include "multilevel/near_clusters.hpp"

namespace shiftcut {

template <class Level>
class LocalMoving {
 public:
  /// Labels are below `clusters`, of which none may be added: level.size() of them mean that a node
  /// may always go off by itself.
  LocalMoving(const Level& level, std::span<const ClusterId> labels, std::size_t clusters,
              const Context& context);

  /// Nodes may join only nodes of their own part; their clusters lie in one part each.
  void keep_within(std::span<const ClusterId> parts) { parts_ = parts; }

  /// All nodes in random order, where there are many by stretches of them, then those that come up
  /// again. Returns the number of moves.
  std::size_t move_all();
  /// All nodes in random order, once.
  void move_once();
  /// As move_all, beginning with those that place() put somewhere and their neighbours.
  std::size_t move_placed();
  /// Goes on until no node of all would move: a single-move local optimum, save for clusters that
  /// are not looked at (see can_see_all).
  std::size_t move_until_still();

  /// Puts a node where the caller wants it; it and its neighbours come up with the next
  /// move_placed(). `to` is below the number of clusters.
  void place(ObjectId v, ClusterId to);
  /// From here on moves are remembered, so that undo() can take them back.
  void begin_trial();
  void undo();
  /// What all moves since begin_trial() took off the cost, to rounding.
  [[nodiscard]] double lowered() const { return lowered_; }

  /// A cluster without objects, or kNoCluster.
  [[nodiscard]] ClusterId find_empty() { return has_empty() ? empty_cluster() : kNoCluster; }
  [[nodiscard]] ClusterId label(ObjectId v) const { return labels_[v]; }
  [[nodiscard]] double cluster_size(ClusterId k) const { return sizes_[k]; }

  /// Whether every cluster that can be a node's best is looked at: those without an edge to it are
  /// when there are few, or when none can attract it.
  [[nodiscard]] bool can_see_all() const;

  [[nodiscard]] std::vector<ClusterId> labels() const { return {labels_.begin(), labels_.end()}; }
  /// Nodes looked at so far.
  [[nodiscard]] std::size_t judged() const { return judged_; }

 private:
  struct Verdict {
    ClusterId to = kNoCluster;  // kNoCluster: an empty one
    double own_weight = 0;
    double to_weight = 0;
    bool moves = false;
  };
  // The best for a node of the clusters other than its own.
  struct Best {
    ClusterId cluster = kNoCluster;
    double weight = 0;
    double affinity = 0;
    double next = 0;  // the affinity to the second best
    double own_weight = 0;
  };
  struct Move {
    ObjectId node;
    ClusterId from;
    ClusterId to;
  };

  void queue_all();
  std::size_t move_by_windows();
  std::size_t work_off_queue();
  std::size_t work_off();
  void forget_queued();
  void judge_batch(std::span<const ObjectId> batch);
  std::size_t walk_batch(std::span<const ObjectId> batch);
  Verdict judge(ObjectId v, NearClusters& near);
  Best best_by_table(ObjectId v, NearClusters& near) const;
  Best best_by_comparing(ObjectId v, NearClusters& near) const;
  [[nodiscard]] bool is_other_part(ObjectId v, ObjectId u) const {
    return !parts_.empty() && parts_[u] != parts_[v];
  }
  void bring_up_to_date(ObjectId v, Verdict& verdict) const;
  [[nodiscard]] double gain(ObjectId v, const Verdict& verdict) const;
  void move(ObjectId v, ClusterId to);
  bool tell_neighbor(ObjectId u, float weight, ClusterId from, ClusterId to);
  void relabel(ObjectId v, ClusterId to);
  void set(ClusterId k, const Mass& mass) {
    sizes_[k] = static_cast<std::uint32_t>(mass.size);
    if (!degrees_.empty()) {
      degrees_[k] = mass.degree;
    }
  }
  void add_to(ClusterId k, const Mass& mass) {
    const Mass now = cluster(k);
    set(k, {now.size + mass.size, now.degree + mass.degree});
  }
  void watch_sizes();
  std::size_t queue_unsure();
  [[nodiscard]] ClusterId empty_cluster();
  [[nodiscard]] bool has_empty() const { return used_ < sizes_.size(); }
  [[nodiscard]] Mass cluster(ClusterId k) const {
    return {static_cast<double>(sizes_[k]), degrees_.empty() ? 0.0 : degrees_[k]};
  }
  [[nodiscard]] double affinity(ObjectId v, double weight, const Mass& cluster) const {
    const ShiftTerms& terms = nodes_.terms;
    return weight -
           cluster.size *
               (nodes_.mass[v].size * terms.flat + terms.per_degree * nodes_.mass[v].degree) -
           nodes_.mass[v].size * terms.per_degree * cluster.degree;
  }
  // An emptied cluster has no degree left over from rounding.
  [[nodiscard]] Mass without(const Mass& cluster, ObjectId v) const {
    const double size = cluster.size - nodes_.mass[v].size;
    return {size, size == 0 ? 0.0 : cluster.degree - nodes_.mass[v].degree};
  }
  // A float below `margin`, by more than the rounding of both.
  static float at_most(double margin) {
    const auto rounded = static_cast<float>(std::clamp(margin, -1e30, 1e30));
    return rounded - std::abs(rounded) * 0x1p-22F;
  }

  const Level& level_;
  const Nodes& nodes_;
  PagedVector<ClusterId> labels_;
  std::span<const ClusterId> parts_;
  Rng& rng_;
  ThreadTeam& team_;
  StopCheck& stop_;

  PagedVector<std::uint32_t> sizes_;  // of clusters, in objects
  PagedVector<double> degrees_;       // of clusters; none where they do not count
  std::vector<ClusterId> empty_;      // may hold some that have been filled since
  std::size_t used_ = 0;              // clusters that are not empty
  bool look_far_ = false;             // at clusters without an edge to the node

  std::vector<ObjectId> queue_;
  std::vector<ObjectId> next_;
  PagedVector<char> is_queued_;
  PagedVector<float> margins_;         // as of the last look, at most
  PagedVector<std::uint8_t> touched_;  // in which batch a neighbour last moved, modulo 256
  bool has_margins_ = !Level::kIsDense;
  bool watches_sizes_ = false;
  PagedVector<Mass> changes_;  // of clusters, up and down, since margins were last lowered by them
  Mass largest_change_;
  std::uint8_t batch_ = 0;
  std::vector<Verdict> verdicts_;
  std::vector<Move> moves_;         // of the batch
  std::vector<NearClusters> near_;  // per thread
  std::size_t judged_ = 0;
  double lowered_ = 0;
  bool in_trial_ = false;
  std::vector<Move> trial_;  // moves since begin_trial()
};

extern template class LocalMoving<SparseLevel>;
extern template class LocalMoving<DenseLevel>;

}  // namespace shiftcut

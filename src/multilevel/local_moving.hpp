// Local moving with a work queue: nodes of a level move to their best clusters, and the neighbours
// of a node that moved are requeued, except those it joined. (The fast form of Louvain's first
// phase: Traag, Waltman, van Eck 2019.)
//
// A long queue is processed in batches of random short runs of nodes, in four steps:
//   1. evaluate: all threads find the best moves, with the clusters as they are;
//   2. defer:    of two neighbours where the move of one would lower the gain of the other, the one
//                of lower degree waits for the next pass over the queue;
//   3. accept:   in order, a move is made if it still lowers the cost with the cluster sizes as
//                they have become: constant time per move, the only step on one thread;
//   4. requeue:  all threads mark the neighbours of what has moved.
// So every move lowers the cost, and the number of threads does not change the result. A short
// queue is processed one by one.
//
// An evaluated node has a margin: by how much its cluster beats any other. Each move of a neighbour
// lowers the margin by a known amount, and a node is requeued only when its margin is used up. What
// changing cluster sizes do to margins is bounded at the end: a node loses what has joined its own
// cluster and what has left the others, those it has edges to if few clusters have lost nodes, else
// any. Nodes whose margin survives need not be evaluated again to prove a local optimum. Margins
// are whole numbers of a small unit, rounded down, so that threads may lower them in any order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/kernels/best_label.hpp"
#include "core/memory.hpp"
#include "core/partition.hpp"
#include "multilevel/level.hpp"
#include "multilevel/tuning.hpp"

namespace shiftcut {

/// The clusters of a node's neighbours, with the weight of the edges to each, summed edge by edge.
class NearClusters {
 public:
  struct Near {
    ClusterId cluster;
    double weight;
  };

  /// Starts over for a node with this many edges; clusters are 0 .. clusters-1.
  void begin(std::size_t edges, std::size_t clusters) {
    count_ = 0;
    if (edges + 1 > near_.size()) {
      near_.resize(edges + 1);
    }
    if (clusters > places_.size()) {
      places_.resize(clusters);
    }
    if (++stamp_ == 0) {
      std::fill(places_.begin(), places_.end(), Place{});
      stamp_ = 1;
    }
  }

  void add(ClusterId k, double weight) {
    Place& place = places_[k];
    if (place.stamp == stamp_) {
      near_[place.index].weight += weight;
    } else {
      place = {stamp_, count_};
      near_[count_++] = {k, weight};
    }
  }

  /// Buffers for the edges of a node of low degree, to be compared with each other instead.
  [[nodiscard]] LabelledEdges& edges() { return edges_; }

  [[nodiscard]] bool has(ClusterId k) const { return places_[k].stamp == stamp_; }

  /// In the order they were first met.
  [[nodiscard]] std::span<const Near> all() const { return {near_.data(), count_}; }

 private:
  struct Place {
    std::uint32_t stamp = 0;  // valid if it is the current one
    std::uint32_t index = 0;
  };

  LabelledEdges edges_{};
  std::vector<Near> near_;  // the first count_ are in use
  std::uint32_t count_ = 0;
  std::vector<Place> places_;  // per cluster
  std::uint32_t stamp_ = 0;
};

template <class Level>
class LocalMoving {
 public:
  /// Labels are below `clusters`, and no more clusters can be opened; with level.size() of them a
  /// node can always become a cluster of its own.
  LocalMoving(const Level& level, std::span<const ClusterId> labels, std::size_t clusters,
              const Context& context);

  /// Nodes may join only nodes of their own region; each cluster lies within one region.
  void restrict_to(std::span<const ClusterId> regions) { regions_ = regions; }

  /// All nodes in random order, then the requeued ones until none is left. Returns the number of
  /// moves.
  std::size_t move_all();
  /// As move_all, but gives up a long queue once few moves requeue many nodes: for labels that are
  /// refined later.
  std::size_t move_most();
  /// All nodes in random order, once.
  void move_once();
  /// All nodes in random order, once; a node moves only while it is a cluster of its own. From
  /// single nodes this gives small groups (the refinement of Leiden). Returns the number of moves.
  std::size_t group_once();
  /// As move_all, but starts with the nodes that place() moved and their neighbours.
  std::size_t move_placed();
  /// Continues until no node would move: a single-move local optimum, except for clusters that are
  /// not compared (see sees_all_clusters).
  std::size_t move_until_stable();
  /// The same, from labels that differ in some clusters from those of a local optimum, `before`:
  /// where few do, only nodes next to these clusters are visited. `before` is below level.size().
  std::size_t move_changed(std::span<const ClusterId> before);

  /// Moves a node to where the caller wants it and queues it and its neighbours for move_placed().
  /// `to` is below the number of clusters.
  void place(ObjectId v, ClusterId to);
  /// From here on moves are recorded, so that undo() can revert them.
  void begin_trial();
  void undo();
  /// By how much the moves since begin_trial() lowered the cost, up to rounding.
  [[nodiscard]] double lowered() const { return lowered_; }

  /// A cluster without objects, or kNoCluster.
  [[nodiscard]] ClusterId find_empty() { return has_empty() ? empty_cluster() : kNoCluster; }
  [[nodiscard]] ClusterId label(ObjectId v) const { return labels_[v]; }
  [[nodiscard]] double cluster_size(ClusterId k) const { return sizes_[k]; }

  /// Whether every cluster that can be a node's best is compared: those without an edge to it are
  /// if there are few clusters, and need not be if none of them can attract it.
  [[nodiscard]] bool sees_all_clusters() const;

  [[nodiscard]] std::vector<ClusterId> labels() const { return {labels_.begin(), labels_.end()}; }
  /// Nodes taken from the queue so far.
  [[nodiscard]] std::size_t visits() const { return visits_; }

 private:
  // The best move of a node as of its evaluation.
  struct Proposal {
    ClusterId to = kNoCluster;  // kNoCluster: an empty cluster
    double own_weight = 0;
    double to_weight = 0;
    bool moves = false;
    bool is_deferred = false;
  };
  // The best cluster for a node other than its own.
  struct BestOther {
    ClusterId cluster = kNoCluster;
    double weight = 0;
    double affinity = 0;
    double next = 0;  // the affinity to the second best
    double own_weight = 0;
  };
  // Volume, rounded up.
  struct Bound {
    float size = 0;
    float degree = 0;

    void add(const Volume& volume) {
      constexpr float kUp = 1 + 0x1p-21F;
      size = (size + static_cast<float>(volume.size)) * kUp;
      degree = (degree + static_cast<float>(std::abs(volume.degree))) * kUp;
    }
  };
  static constexpr double kMostUnits = 0x1p30;
  static constexpr double kMostLoss = 0x1p31 - 1;
  static constexpr std::int32_t kNoMargin = -1;  // nothing is known
  struct Move {
    ObjectId node;
    ClusterId from;
    ClusterId to;
  };

  // Calls task(begin, end, worker) for parts of 0 .. count, on all threads if there are several.
  template <class Task>
  void for_each_task(std::size_t count, const Task& task) {
    if (count <= kNodesPerTask) {
      task(std::size_t{0}, count, 0);
      return;
    }
    team_.for_each(pieces_of(count, kNodesPerTask), [&](std::size_t i, int worker) {
      task(i * kNodesPerTask, std::min(count, (i + 1) * kNodesPerTask), worker);
    });
  }
  static std::size_t pieces_of(std::size_t count, std::size_t per_piece = kNodesPerPiece) {
    return (count + per_piece - 1) / per_piece;
  }
  // Calls visit(v) for all nodes, on all threads.
  template <class Visit>
  void for_each_node(const Visit& visit) {
    const std::size_t n = level_.size();
    team_.for_each(pieces_of(n), [&](std::size_t piece, int) {
      for (std::size_t v = piece * kNodesPerPiece; v < std::min(n, (piece + 1) * kNodesPerPiece);
           ++v) {
        visit(static_cast<ObjectId>(v));
      }
    });
  }
  void sum_volumes();
  void queue_all();
  void queue_marked();
  std::size_t process_queue();
  std::size_t process_one_by_one();
  std::size_t process_in_batches();
  std::size_t drain_queue();
  void clear_queue();
  // Returns the number of nodes that would move.
  std::size_t evaluate_batch(std::span<const ObjectId> batch);
  void defer_neighbors(std::span<const ObjectId> batch);
  void accept(std::span<const ObjectId> batch);
  void requeue_neighbors();
  void move_dense(std::span<const ObjectId> batch);
  Proposal evaluate(ObjectId v, NearClusters& near);
  BestOther best_other(ObjectId v, NearClusters& near) const;
  BestOther best_other_by_kernel(ObjectId v, NearClusters& near) const;
  [[nodiscard]] bool is_other_region(ObjectId v, ObjectId u) const {
    return !regions_.empty() && regions_[u] != regions_[v];
  }
  void apply_batch_moves(ObjectId v, Proposal& proposal) const;
  [[nodiscard]] double gain(ObjectId v, const Proposal& proposal) const;
  // What a neighbour's move between two clusters takes off a node's margin, rounded up.
  [[nodiscard]] std::int32_t loss(ObjectId u, double weight, ClusterId from, ClusterId to) const {
    const ClusterId own = labels_[u];
    double lost = std::abs(weight);
    lost = own == to ? 2 * std::max(-weight, 0.0) : lost;
    lost = own == from ? 2 * std::max(weight, 0.0) : lost;
    return lost > 0 ? static_cast<std::int32_t>(lost * units_) + 1 : 0;
  }
  template <class Mark>
  void lower_margins(const Move& move, const Mark& mark);
  [[nodiscard]] bool is_single(ObjectId v) const {
    return static_cast<double>(sizes_[labels_[v]]) == nodes_.volume[v].size;
  }
  // A node without edges stays alone, unless clusters that it has no edge to are compared.
  [[nodiscard]] bool needs_visit(ObjectId v) const {
    return compares_all_ || level_.edges_of(v) > 0 || !is_single(v);
  }
  // Of two neighbours, the one that moves first.
  [[nodiscard]] bool comes_before(ObjectId u, ObjectId v) const {
    const std::size_t edges_u = level_.edges_of(u);
    const std::size_t edges_v = level_.edges_of(v);
    return edges_u > edges_v || (edges_u == edges_v && u < v);
  }
  // Whether the move of v's neighbour u may lower the gain of v's own.
  [[nodiscard]] bool is_harmed(ObjectId v, ObjectId u, double weight) const {
    const bool takes = labels_[u] == targets_[v] || targets_[u] == labels_[v];
    const bool adds = labels_[u] == labels_[v] || targets_[u] == targets_[v];
    return weight > 0 ? takes : adds;
  }
  void make(ObjectId v, const Proposal& proposal);
  void queue_neighbors(const Move& move);
  void relabel(ObjectId v, ClusterId to);
  void set(ClusterId k, const Volume& volume) {
    sizes_[k] = volume.size;
    if (!degrees_.empty()) {
      degrees_[k] = volume.degree;
    }
  }
  void add_to(ClusterId k, const Volume& volume) {
    const Volume now = cluster(k);
    set(k, {now.size + volume.size, now.degree + volume.degree});
  }
  void track_sizes();
  [[nodiscard]] bool repels_all() const;
  Bound most_left(double& share) const;
  void bound_losses_to_neighbors();
  std::size_t requeue_unproven();
  bool queue_changed(std::span<const ClusterId> before);
  // What volume added to, or taken from, a cluster changes in the affinity of v to it, at most.
  [[nodiscard]] double effect(ObjectId v, const Bound& change) const {
    const Volume& node = nodes_.volume[v];
    return std::abs(nodes_.terms.per_size(node.size, node.degree)) * change.size +
           std::abs(nodes_.terms.per_unit_degree(node.size, node.degree)) * change.degree;
  }
  [[nodiscard]] ClusterId empty_cluster();
  [[nodiscard]] bool has_empty() const { return used_ < sizes_.size(); }
  [[nodiscard]] Volume cluster(ClusterId k) const {
    return {sizes_[k], degrees_.empty() ? 0.0 : degrees_[k]};
  }
  [[nodiscard]] double affinity(ObjectId v, double weight, const Volume& cluster) const {
    const Volume& node = nodes_.volume[v];
    return weight - cluster.size * nodes_.terms.per_size(node.size, node.degree) -
           cluster.degree * nodes_.terms.per_unit_degree(node.size, node.degree);
  }
  // An emptied cluster has no degree left over from rounding.
  [[nodiscard]] Volume without(const Volume& cluster, ObjectId v) const {
    const double size = cluster.size - nodes_.volume[v].size;
    return {size, size == 0 ? 0.0 : cluster.degree - nodes_.volume[v].degree};
  }
  // What is no number (no weight to count in) is no margin.
  [[nodiscard]] std::int32_t rounded_down(double margin) const {
    const double units = std::floor(margin * units_ - 1);
    return static_cast<std::int32_t>(units > -kMostUnits ? std::min(units, kMostUnits)
                                                         : -kMostUnits);
  }

  const Level& level_;
  const Nodes& nodes_;
  PagedVector<ClusterId> labels_;
  std::span<const ClusterId> regions_;
  Rng& rng_;
  ThreadTeam& team_;
  StopCheck& stop_;

  PagedVector<double> sizes_;     // of clusters, in objects
  PagedVector<double> degrees_;   // of clusters; none where they do not count
  std::vector<ClusterId> empty_;  // may hold some that have been filled since
  std::size_t used_ = 0;          // clusters that are not empty
  bool compares_all_ = false;     // also clusters without an edge to the node

  std::vector<ObjectId> queue_;
  std::vector<std::size_t> batch_begin_;  // of the queue's batches, and its end; empty: one by one
  std::vector<ObjectId> next_;            // requeued one by one
  PagedVector<char> is_queued_;
  bool groups_only_ = false;            // group_once()
  bool ends_early_ = false;             // move_most()
  PagedVector<std::int32_t> margins_;   // lower bounds; negative: nothing is known
  double units_ = 0;                    // of a margin, per weight
  PagedVector<ClusterId> targets_;      // of the nodes that would move in a batch
  PagedVector<std::uint8_t> moves_in_;  // the batch in which a node last would move, modulo 255
  bool has_margins_ = !Level::kIsDense;
  bool tracks_sizes_ = false;
  // What has joined and left each cluster and is not yet taken off the margins.
  struct Change {
    Bound joined;
    Bound left;
  };
  PagedVector<Change> changes_;
  bool repels_ = false;     // no node is attracted by what a cluster without an edge to it holds
  std::uint8_t batch_ = 0;  // 1 .. 255
  std::vector<Proposal> proposals_;
  std::vector<Move> moves_;         // of the batch
  std::vector<NearClusters> near_;  // per thread
  std::size_t visits_ = 0;
  double lowered_ = 0;
  bool in_trial_ = false;
  std::vector<Move> trial_;  // moves since begin_trial()
};

extern template class LocalMoving<SparseLevel>;
extern template class LocalMoving<DenseLevel>;

}  // namespace shiftcut

// Affinities of new rows to the clusters of a model, one kind for each way the similarities are
// computed; and what make_model() keeps for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/model.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

inline constexpr std::size_t kNewRowsATask = 64;

/// The options with what the run chose where they are automatic.
SimilarityOptions as_used(SimilarityOptions options, const Result& result);

/// The scaling of the training rows.
inline Scaling scaling_of(const Model& model) {
  Scaling scaling;
  scaling.offset = model.result.scaling.offset;
  scaling.factor = model.result.scaling.factor;
  return scaling;
}

/// The affinity of a row to a cluster.
struct ClusterTie {
  std::int32_t cluster = 0;
  double affinity = 0;
};

/// What an Affinity finds out about a row besides.
struct SeenRow {
  std::span<const ClusterTie> ties;  // by cluster
  double self = 0;                   // S of the row and itself, where `ties` hold that
  double norm = 0;  // root of the sum of squared similarities, centred where all are given; 0: none
  double far = kUnknown;  // how far it is from the training rows, in any unit

  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
};

using RowVisit = std::function<void(std::size_t, const SeenRow&)>;

class Affinity {
 public:
  Affinity() = default;
  virtual ~Affinity() = default;
  Affinity(const Affinity&) = delete;
  Affinity& operator=(const Affinity&) = delete;
  Affinity(Affinity&&) = delete;
  Affinity& operator=(Affinity&&) = delete;

  /// Visits each row, with its ties to all clusters, on all threads. The rows have been checked,
  /// and are sparse where the training rows were.
  virtual void each(const Rows& rows, ThreadTeam& team, const Control& control,
                    const RowVisit& visit) const = 0;

  /// Visits each node of the model, which are these rows. Clusters that a node has no edges to may
  /// be left out.
  virtual void each_node(const Rows& nodes, ThreadTeam& team, const Control& control,
                         const RowVisit& visit) const {
    each(nodes, team, control, visit);
  }
};

/// The nodes of a model, in its clusters.
struct Members {
  std::vector<std::int32_t> labels;  // of the nodes
  std::vector<double> weights;       // of the nodes; empty: 1 each
  std::vector<double> sizes;         // of the clusters: sums of weights
  double all = 0;                    // weights

  explicit Members(const Model& model);
  [[nodiscard]] std::size_t size() const { return labels.size(); }
  [[nodiscard]] double weight(std::size_t node) const {
    return weights.empty() ? 1.0 : weights[node];
  }
};

/// Linear and cosine similarities: products of rows. The model outlives what is returned.
std::unique_ptr<Affinity> product_affinity(const Model& model);
ClusterSums product_sums(const Model& model, const Rows& nodes, ThreadTeam& team);

/// Similarities to every training object: rbf, Euclidean distances, and those that are given.
std::unique_ptr<Affinity> pair_affinity(const Model& model, ThreadTeam& team);
PairMeans pair_means(const Model& model, const Rows& values, ThreadTeam& team);

/// The neighbour graph, continued to new rows.
std::unique_ptr<Affinity> neighbor_affinity(const Model& model, ThreadTeam& team);

/// What is subtracted from every pair: strength * alpha where that is the same for all, or all
/// without an edge; else 0.
double constant_shift(const Result& result);

/// What the shift takes from the affinity to each cluster, where x has the means of its rows.
class MeanShift {
 public:
  /// `means` of the nodes' similarities; used under the adaptive and degree shifts.
  MeanShift(const Result& result, const Members& members, std::span<const double> means);

  /// Of an object of this mean and itself.
  [[nodiscard]] double of_self(double mean) const {
    if (is_degree_) {
      return mean_ > 0 ? strength_ * mean * mean / mean_ : 0.0;
    }
    return is_adaptive_ ? strength_ * (2 * mean - mean_) : constant_;
  }

  /// For a new object whose similarities to all training objects have this mean.
  [[nodiscard]] double of(double mean, std::size_t cluster) const {
    const double size = sizes_[cluster];
    if (is_degree_) {
      return mean_ > 0 ? strength_ * mean * in_cluster_[cluster] / mean_ : 0.0;
    }
    return is_adaptive_ ? strength_ * (mean * size + in_cluster_[cluster] - size * mean_)
                        : constant_ * size;
  }

 private:
  std::vector<double> sizes_;
  bool is_adaptive_;
  bool is_degree_;
  double strength_;
  double constant_;  // strength * alpha where that is the same for all pairs
  std::vector<double> in_cluster_;
  double mean_ = 0;
};

/// The affinities to all clusters as ties.
inline void set_ties(std::span<const double> affinities, std::vector<ClusterTie>& ties) {
  ties.resize(affinities.size());
  for (std::size_t k = 0; k < ties.size(); ++k) {
    ties[k] = {static_cast<std::int32_t>(k), affinities[k]};
  }
}

/// Ties to the same cluster become one.
inline void add_up(std::vector<ClusterTie>& ties) {
  std::ranges::stable_sort(ties, {}, &ClusterTie::cluster);
  std::size_t kept = 0;
  for (const ClusterTie& tie : ties) {
    if (kept > 0 && ties[kept - 1].cluster == tie.cluster) {
      ties[kept - 1].affinity += tie.affinity;
    } else {
      ties[kept++] = tie;
    }
  }
  ties.resize(kept);
}

/// Rows in the order of their number, on all threads: work(i, worker's room).
template <class Room, class Work>
void for_each_row(std::size_t count, ThreadTeam& team, const Room& make_room, const Work& work) {
  team.for_each((count + kNewRowsATask - 1) / kNewRowsATask, [&](std::size_t task, int) {
    auto room = make_room();
    const std::size_t end = std::min(count, (task + 1) * kNewRowsATask);
    for (std::size_t i = task * kNewRowsATask; i < end; ++i) {
      work(i, room);
    }
  });
}

inline std::size_t row_count(const Rows& rows) {
  const auto* dense = std::get_if<DenseArray>(&rows);
  return dense != nullptr ? dense->rows() : std::get<SparseMatrix>(rows).rows;
}

}  // namespace shiftcut

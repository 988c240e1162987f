// Affinities of new rows to the clusters of a model, one kind for each way the similarities are
// computed; and what make_model() keeps for them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/model.hpp"

namespace shiftcut {

inline constexpr std::size_t kNewRowsATask = 64;

/// The options with what the run chose where they are automatic.
SimilarityOptions as_used(SimilarityOptions options, const Result& result);

class Affinity {
 public:
  Affinity() = default;
  virtual ~Affinity() = default;
  Affinity(const Affinity&) = delete;
  Affinity& operator=(const Affinity&) = delete;
  Affinity(Affinity&&) = delete;
  Affinity& operator=(Affinity&&) = delete;

  /// Writes the affinity of each row to each cluster. The rows have been checked, and are sparse
  /// where the training rows were.
  virtual void write(const Rows& rows, ThreadTeam& team, const Control& control,
                     double* out) const = 0;
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

/// What the shift takes from the affinity to each cluster, where x has the means of its rows.
class MeanShift {
 public:
  /// `means` of the nodes' similarities; used under the adaptive and degree shifts.
  MeanShift(const Result& result, const Members& members, std::span<const double> means);

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

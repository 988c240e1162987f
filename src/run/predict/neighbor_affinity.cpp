// The neighbour graph, continued to new rows.
//
// A new row is joined to its nearest training rows, with weights as in the graph; a row equal to a
// training row (or at distance 0 from a training object) has that row's edges. What the training
// rows' own lists would say of the new row (that it is nearer than one of theirs) is left out: it
// would change the graph of the run.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/kernels/elementary.hpp"
#include "core/rng.hpp"
#include "neighbors/exact_search.hpp"
#include "neighbors/metrics/cosine_neighbors.hpp"
#include "neighbors/metrics/matrix_neighbors.hpp"
#include "neighbors/metrics/metric_search.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "run/predict/affinity.hpp"
#include "shiftcut/words.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

namespace {

constexpr double kNearest = 1e-3;  // ratios of distances are cut off here
constexpr double kFarthest = 1e6;

struct NewEdge {
  ObjectId to;
  double weight;
};

// Calls visit(column, value) for the numbers of row i other than 0.
template <class Visit>
void for_each_number(const Rows& rows, std::size_t i, const Visit& visit) {
  if (const auto* dense = std::get_if<DenseArray>(&rows)) {
    for (std::size_t j = 0; j < dense->columns(); ++j) {
      if (const double value = dense->at(i, j); value != 0) {
        visit(j, value);
      }
    }
    return;
  }
  const auto& sparse = std::get<SparseMatrix>(rows);
  for (auto e = static_cast<std::size_t>(sparse.offsets[i]);
       e < static_cast<std::size_t>(sparse.offsets[i + 1]); ++e) {
    if (sparse.values[e] != 0) {
      visit(std::size_t{sparse.columns[e]}, sparse.values[e]);
    }
  }
}

std::vector<std::pair<std::size_t, double>> numbers_of(const Rows& rows, std::size_t i) {
  std::vector<std::pair<std::size_t, double>> numbers;
  for_each_number(rows, i,
                  [&](std::size_t column, double value) { numbers.emplace_back(column, value); });
  return numbers;
}

std::uint64_t hash_of(const Rows& rows, std::size_t i) {
  std::uint64_t hash = 0;
  for_each_number(rows, i, [&](std::size_t column, double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15ULL + column;
    hash ^= hash >> 29;
  });
  return mix(hash);
}

// Which training row equals a new one, number by number as given, whatever float they are of.
class EqualRows {
 public:
  EqualRows(const Rows& rows, ThreadTeam& team) : rows_(rows), hashes_(row_count(rows)) {
    for_each_row(
        hashes_.size(), team, [] { return 0; },
        [&](std::size_t i, int) { hashes_[i] = {hash_of(rows, i), static_cast<ObjectId>(i)}; });
    std::ranges::sort(hashes_);
  }

  /// The first of them, or none.
  [[nodiscard]] std::optional<ObjectId> find(const Rows& rows, std::size_t i) const {
    const std::uint64_t hash = hash_of(rows, i);
    auto found = std::ranges::lower_bound(hashes_, std::pair(hash, ObjectId{0}));
    if (found == hashes_.end() || found->first != hash) {
      return std::nullopt;
    }
    const auto numbers = numbers_of(rows, i);
    for (; found != hashes_.end() && found->first == hash; ++found) {
      if (numbers_of(rows_, found->second) == numbers) {
        return found->second;
      }
    }
    return std::nullopt;
  }

 private:
  const Rows& rows_;
  std::vector<std::pair<std::uint64_t, ObjectId>> hashes_;
};

// The distance to the last neighbour.
double width_of(const NeighborLists& lists, std::size_t i) {
  const std::size_t count = lists.of(i).size();
  return count > 0 ? std::sqrt(lists.squared[i * lists.k + count - 1]) : 0.0;
}

// How many other rows equal a row of the node.
double copies(const Members& members, std::size_t node) {
  return std::max(0.0, members.weight(node) - 1);
}

// Of the similarities of a row of each node to all rows.
std::vector<double> mean_weights(const SparseMatrix& graph, const Members& members) {
  std::vector<double> means(graph.rows, 0.0);
  for (std::size_t i = 0; i < graph.rows; ++i) {
    double sum = copies(members, i);
    for (auto e = static_cast<std::size_t>(graph.offsets[i]);
         e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
      sum += members.weight(graph.columns[e]) * graph.values[e];
    }
    means[i] = sum / members.all;
  }
  return means;
}

class NeighborAffinity final : public Affinity {
 public:
  NeighborAffinity(const Model& model, ThreadTeam& team)
      : model_(model),
        members_(model),
        lists_(lists_of(*model.neighbors)),
        graph_(neighbor_graph(lists_, model.options.similarity.weights, team)),
        shift_(model.result, members_, mean_weights(graph_, members_)),
        metric_(from_word<Metric>(model.result.metric).value_or(Metric::euclidean)) {
    const std::size_t asked = model.options.similarity.neighbors;
    k_ = asked > 0 ? asked : std::max<std::size_t>(1, lists_.k);
    if (model.shape != Shape::features) {
      return;
    }
    const Rows& training = *model.rows;  // NOLINT(bugprone-unchecked-optional-access)
    equal_.emplace(training, team);
    if (const auto* sparse = std::get_if<SparseMatrix>(&training)) {
      cosines_.emplace(*sparse, team, metric_);
    } else if (compares_all_pairs(metric_)) {
      rows_.emplace(scaled(training, team));
    } else {
      index_.emplace(scaled(training, team), team);
    }
  }

  void each(const Rows& rows, ThreadTeam& team, const Control& control,
            const RowVisit& visit) const override {
    const NeighborLists near = nearest(rows, team, control);
    const std::size_t clusters = model_.result.sizes.size();
    for_each_row(
        near.n, team, [] { return Room(); },
        [&](std::size_t i, Room& room) {
          const std::optional<ObjectId> equal = equal_to(rows, i, near);
          find_edges(i, equal, near, room.edges);
          room.affinities.assign(clusters, 0.0);
          double degree = 0;
          double squares = 0;
          for (const NewEdge& edge : room.edges) {
            room.affinities[static_cast<std::size_t>(members_.labels[edge.to])] += edge.weight;
            degree += edge.weight;
            squares += edge.weight * edge.weight;
          }
          for (std::size_t k = 0; k < clusters; ++k) {
            room.affinities[k] -= shift_.of(degree / members_.all, k);
          }
          set_ties(room.affinities, room.ties);
          const double far = equal ? far_of(*equal) : far_of(width_of(near, i), near.of(i));
          visit(i, {room.ties, 0, std::sqrt(squares), far});
        });
  }

  void each_node(const Rows& /*nodes*/, ThreadTeam& team, const Control& /*control*/,
                 const RowVisit& visit) const override {
    for_each_row(
        graph_.rows, team, [] { return Room(); },
        [&](std::size_t i, Room& room) {
          edges_of(static_cast<ObjectId>(i), room.edges);
          double degree = 0;
          double squares = 0;
          room.ties.clear();
          for (const NewEdge& edge : room.edges) {
            room.ties.push_back({members_.labels[edge.to], edge.weight});
            degree += edge.weight;
            squares += edge.weight * edge.weight;
          }
          add_up(room.ties);
          const double mean = degree / members_.all;
          for (ClusterTie& tie : room.ties) {
            tie.affinity -= shift_.of(mean, static_cast<std::size_t>(tie.cluster));
          }
          visit(i, {room.ties, -shift_.of_self(mean), std::sqrt(squares),
                    far_of(static_cast<ObjectId>(i))});
        });
  }

 private:
  struct Room {
    std::vector<NewEdge> edges;
    std::vector<double> affinities;
    std::vector<ClusterTie> ties;
  };

  // How many times farther its last neighbour is than those of its neighbours, as a logarithm.
  [[nodiscard]] double far_of(double reach, std::span<const ObjectId> neighbors) const {
    if (model_.reach.empty() || neighbors.empty()) {
      return SeenRow::kUnknown;
    }
    double sum = 0;
    for (const ObjectId neighbor : neighbors) {
      sum += model_.reach[neighbor];
    }
    const double mean = sum / static_cast<double>(neighbors.size());
    const double ratio = mean > 0 ? reach / mean : reach > 0 ? kFarthest : 1.0;
    return portable_log(std::clamp(ratio, kNearest, kFarthest));
  }
  [[nodiscard]] double far_of(ObjectId node) const {
    return model_.reach.empty() ? SeenRow::kUnknown : far_of(model_.reach[node], lists_.of(node));
  }

  // Of a row of the node, to the rows of all nodes together.
  void edges_of(ObjectId node, std::vector<NewEdge>& edges) const {
    edges.clear();
    for (auto e = static_cast<std::size_t>(graph_.offsets[node]);
         e < static_cast<std::size_t>(graph_.offsets[node + 1]); ++e) {
      edges.push_back({graph_.columns[e], members_.weight(graph_.columns[e]) * graph_.values[e]});
    }
    edges.push_back({node, copies(members_, node)});
  }

  [[nodiscard]] FeatureRows scaled(const Rows& rows, ThreadTeam& team) const {
    return FeatureRows::for_metric(metric_, std::get<DenseArray>(rows), scaling_of(model_), team);
  }

  [[nodiscard]] NeighborLists nearest(const Rows& rows, ThreadTeam& team,
                                      const Control& control) const {
    if (model_.shape != Shape::features) {
      return nearest_in_rows(std::get<DenseArray>(rows), model_.shape == Shape::distance, k_, team);
    }
    if (cosines_) {
      return cosines_->nearest(std::get<SparseMatrix>(rows), k_, team, control);
    }
    return rows_ ? nearest_by_metric(*rows_, scaled(rows, team), metric_, k_, team, control)
                 // NOLINTNEXTLINE(bugprone-unchecked-optional-access)
                 : index_->nearest(scaled(rows, team), k_, team, control);
  }

  // The training object that the new one equals.
  [[nodiscard]] std::optional<ObjectId> equal_to(const Rows& rows, std::size_t i,
                                                 const NeighborLists& near) const {
    if (equal_) {
      return equal_->find(rows, i);
    }
    const bool is_equal = model_.shape == Shape::distance && near.squared[i * near.k] == 0;
    return is_equal ? std::optional(near.ids[i * near.k]) : std::nullopt;
  }

  // To the nodes, for all their rows together.
  void find_edges(std::size_t i, std::optional<ObjectId> equal, const NeighborLists& near,
                  std::vector<NewEdge>& edges) const {
    edges.clear();
    if (equal) {
      edges_of(*equal, edges);
      return;
    }
    const auto own = near.of(i);
    std::vector<ObjectId> set(own.begin(), own.end());
    std::ranges::sort(set);
    const double width = width_of(near, i);
    for (std::size_t e = 0; e < own.size(); ++e) {
      edges.push_back({own[e], members_.weight(own[e]) *
                                   weight(set, width, own[e], near.squared[i * near.k + e])});
    }
    std::ranges::sort(edges, {}, &NewEdge::to);
  }

  [[nodiscard]] double weight(const std::vector<ObjectId>& set, double width, ObjectId to,
                              double squared) const {
    switch (model_.options.similarity.weights) {
      case Weights::shared:
        return overlap(set, to);
      case Weights::gaussian:
        return gaussian(width, width_of(lists_, to), squared);
      case Weights::binary:
      case Weights::log_odds:  // of given graphs, never of neighbours
        break;
    }
    return 1;
  }

  // |A & B| / |A u B|, A the neighbours of the new row and itself, B those of `to` and itself.
  [[nodiscard]] double overlap(const std::vector<ObjectId>& set, ObjectId to) const {
    const auto others = lists_.of(to);
    std::size_t both = std::ranges::binary_search(set, to) ? 1 : 0;
    for (const ObjectId other : others) {
      both += std::ranges::binary_search(set, other) ? 1 : 0;
    }
    return static_cast<double>(both) /
           static_cast<double>((set.size() + 1) + (others.size() + 1) - both);
  }

  static double gaussian(double one, double other, double squared) {
    if (squared == 0) {
      return 1;
    }
    const double distance = std::sqrt(squared);
    const double larger = std::max(one, other);
    const double smaller = std::min(one, other);
    return portable_exp(-(distance / larger) * (distance / (smaller > 0 ? smaller : larger)));
  }

  const Model& model_;
  Members members_;
  NeighborLists lists_;
  SparseMatrix graph_;
  MeanShift shift_;
  Metric metric_;
  std::optional<EqualRows> equal_;  // of features
  std::size_t k_ = 1;
  std::optional<FeatureRows> rows_;  // of metrics that compare all pairs
  std::optional<NeighborIndex> index_;
  std::optional<CosineIndex> cosines_;
};

}  // namespace

std::unique_ptr<Affinity> neighbor_affinity(const Model& model, ThreadTeam& team) {
  return std::make_unique<NeighborAffinity>(model, team);
}

}  // namespace shiftcut

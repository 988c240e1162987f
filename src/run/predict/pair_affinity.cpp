// Similarities without a shorter form: those of a new object to all training objects are computed,
// or given.
//   rbf        x = exp(-d^2 / (s_o s_j)), s a given width or the distance to the 7th nearest
//              training row that is elsewhere
//   euclidean  x = largest - d, the largest distance of two training rows; so for given distances
//   given      x, or log(p / (1 - p)) of the probabilities of a graph
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/kernels/elementary.hpp"
#include "core/kernels/kernels.hpp"
#include "core/message.hpp"
#include "problem/linkage_shift.hpp"
#include "run/predict/affinity.hpp"
#include "shiftcut/words.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kWidthRank = 7;     // of the neighbour whose distance is a row's own width
constexpr std::size_t kColumns = 128;     // training rows packed together
constexpr std::size_t kTileRows = 16;     // rows measured together
constexpr double kLeast = 1e-300;         // distance
constexpr double kNearlyCertain = 1e-12;  // probabilities of 0 and 1 count as this close to them

// Squared distances of scaled rows to all training rows.
class TrainingRows {
 public:
  TrainingRows(const DenseArray& rows, const Scaling& scaling, ThreadTeam& team)
      : rows_(FeatureRows::scaled(rows, scaling)),
        packed_((rows.rows() + kColumns - 1) / kColumns) {
    team.for_each(packed_.size(), [&](std::size_t block, int) {
      const std::size_t first = block * kColumns;
      std::vector<double> row(rows_.length());
      packed_[block].resize(rows_.length(), std::min(kColumns, rows_.size() - first));
      for (std::size_t c = 0; c < packed_[block].count(); ++c) {
        rows_.row(first + c, row.data());
        packed_[block].set(c, row.data(), 1.0);
      }
    });
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }

  /// visit(i, d) with the squared distances of row i of `rows` to all training rows; on all
  /// threads.
  template <class Visit>
  void measure(const DenseArray& rows, const Scaling& scaling, ThreadTeam& team,
               const Visit& visit) const {
    const FeatureRows scaled = FeatureRows::scaled(rows, scaling);
    const std::size_t d = rows_.length();
    team.for_each((scaled.size() + kTileRows - 1) / kTileRows, [&](std::size_t task, int) {
      const std::size_t first = task * kTileRows;
      const std::size_t count = std::min(kTileRows, scaled.size() - first);
      std::vector<double> block(count * d);
      std::vector<const double*> pointers(count);
      for (std::size_t r = 0; r < count; ++r) {
        pointers[r] = &block[r * d];
        scaled.row(first + r, &block[r * d]);
      }
      std::vector<double> squared(count * size());
      std::vector<double> tile(count * kColumns);
      for (std::size_t b = 0; b < packed_.size(); ++b) {
        team.poll();
        const std::size_t width = packed_[b].width();
        tile_squared_distances(pointers.data(), count, packed_[b], tile.data());
        for (std::size_t r = 0; r < count; ++r) {
          std::copy_n(&tile[r * width], packed_[b].count(), &squared[r * size() + b * kColumns]);
        }
      }
      for (std::size_t r = 0; r < count; ++r) {
        visit(first + r, std::span(squared).subspan(r * size(), size()));
      }
    });
  }

 private:
  FeatureRows rows_;
  std::vector<PackedColumns<double>> packed_;
};

double own_width(std::span<const double> squared, std::optional<double> sigma) {
  if (sigma) {
    return *sigma;
  }
  std::vector<double> others;
  for (const double value : squared) {
    if (value > 0) {
      others.push_back(value);
    }
  }
  if (others.empty()) {
    return 1;
  }
  const auto rank = static_cast<std::ptrdiff_t>(std::min(kWidthRank, others.size()) - 1);
  std::nth_element(others.begin(), others.begin() + rank, others.end());
  return std::sqrt(others[static_cast<std::size_t>(rank)]);
}

// Distances to similarities, in place.
void to_similarities(std::span<double> squared, const Model& model, const PairMeans& pairs) {
  if (model.result.similarity != "rbf") {
    for (double& value : squared) {
      value = pairs.largest - std::sqrt(value);
    }
    return;
  }
  const double own = own_width(squared, model.options.similarity.sigma);
  for (std::size_t j = 0; j < squared.size(); ++j) {
    squared[j] = portable_exp(-squared[j] / (own * pairs.widths[j]));
  }
}

double mean_of(std::span<const double> values, const Members& members) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += members.weight(i) * values[i];
  }
  return sum / members.all;
}

double log_odds(double p) {
  if (!(p >= 0 && p <= 1)) {
    refuse("bad_input", "",
           "new rows: found the weight {} for a model of log-odds; allowed: probabilities from 0 "
           "to 1",
           p);
  }
  p = std::clamp(p, kNearlyCertain, 1 - kNearlyCertain);
  return portable_log(p / (1 - p));
}

bool are_log_odds(const Model& model) {
  return model.options.similarity.weights == Weights::log_odds;
}

bool is_linkage(const Result& result) { return result.shift_kind == word_of(ShiftKind::linkage); }

// Calls visit(j, x) for what is given of row i; without an edge x is 0. Under linkage, what pairs
// without an edge lose is added to the others, since the shift takes it from all.
template <class Visit>
void for_each_given(const Rows& rows, std::size_t i, const Model& model, double largest,
                    bool are_probabilities, const Visit& visit) {
  const double present = is_linkage(model.result) ? constant_shift(model.result) : 0;
  if (const auto* dense = std::get_if<DenseArray>(&rows)) {
    for (std::size_t j = 0; j < dense->columns(); ++j) {
      const double value = dense->at(i, j);
      visit(j, model.shape == Shape::distance ? largest - value : value);
    }
    return;
  }
  const auto& sparse = std::get<SparseMatrix>(rows);
  for (auto e = static_cast<std::size_t>(sparse.offsets[i]);
       e < static_cast<std::size_t>(sparse.offsets[i + 1]); ++e) {
    visit(sparse.columns[e],
          are_probabilities ? log_odds(sparse.values[e]) + present : sparse.values[e]);
  }
}

// The graph of the nodes as the run saw it: with the priors of pairs at the ends of paths.
SparseMatrix with_priors(SparseMatrix graph, double strength, ThreadTeam& team) {
  for (double& value : graph.values) {
    value = log_odds(value);
  }
  return *linkage_shift(graph, strength, team).edges;
}

double largest_entry(const DenseArray& matrix) {
  double largest = 0;
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.columns(); ++j) {
      largest = std::max(largest, matrix.at(i, j));
    }
  }
  return largest;
}

class PairAffinity final : public Affinity {
 public:
  PairAffinity(const Model& model, ThreadTeam& team)
      : model_(model), members_(model), shift_(model.result, members_, model.pairs.means) {
    if (model.shape == Shape::features) {
      // NOLINTNEXTLINE(bugprone-unchecked-optional-access)
      training_.emplace(std::get<DenseArray>(*model.rows), scaling_of(model), team);
    }
  }

  void each(const Rows& rows, ThreadTeam& team, const Control& /*control*/,
            const RowVisit& visit) const override {
    visit_all(rows, team, visit, false);
  }

  void each_node(const Rows& nodes, ThreadTeam& team, const Control& /*control*/,
                 const RowVisit& visit) const override {
    if (is_linkage(model_.result)) {
      const Rows graph =
          with_priors(std::get<SparseMatrix>(nodes), model_.result.shift_strength, team);
      visit_all(graph, team, visit, true, true);
      return;
    }
    visit_all(nodes, team, visit, true);
  }

 private:
  struct Room {
    std::vector<double> affinities;
    std::vector<ClusterTie> ties;
  };

  void visit_all(const Rows& rows, ThreadTeam& team, const RowVisit& visit, bool are_nodes,
                 bool are_adjusted = false) const {
    if (training_) {
      const double self = model_.result.similarity == "rbf" ? 1.0 : model_.pairs.largest;
      training_->measure(std::get<DenseArray>(rows), scaling_of(model_), team,
                         [&](std::size_t i, std::span<double> x) {
                           to_similarities(x, model_, model_.pairs);
                           Room room;
                           room.affinities.assign(clusters(), 0.0);
                           double squares = 0;
                           for (std::size_t j = 0; j < x.size(); ++j) {
                             room.affinities[label(j)] += members_.weight(j) * x[j];
                             squares += members_.weight(j) * x[j] * x[j];
                           }
                           finish(i, mean_of(x, members_), squares,
                                  are_nodes ? std::optional(self) : std::nullopt, room, visit);
                         });
      return;
    }
    const bool is_sparse = std::holds_alternative<SparseMatrix>(rows);
    for_each_row(
        row_count(rows), team, [] { return Room(); },
        [&](std::size_t i, Room& room) {
          if (is_sparse && are_nodes) {
            visit_node_of_graph(rows, i, room, are_log_odds(model_) && !are_adjusted, visit);
            return;
          }
          room.affinities.assign(clusters(), 0.0);
          double sum = 0;
          double squares = 0;
          std::optional<double> self;
          for_each_given(rows, i, model_, model_.pairs.largest, are_log_odds(model_),
                         [&](std::size_t j, double x) {
                           room.affinities[label(j)] += x;
                           sum += x;
                           squares += x * x;
                           self = are_nodes && j == i ? std::optional(x) : self;
                         });
          finish(i, sum / static_cast<double>(members_.size()), squares, self, room, visit,
                 is_sparse);
        });
  }

  // All clusters, for similarities of which all are given unless they are a graph's.
  void finish(std::size_t i, double mean, double squares, std::optional<double> self, Room& room,
              const RowVisit& visit, bool is_graph = false) const {
    double nearest = std::numeric_limits<double>::infinity();  // mean distance to a cluster
    for (std::size_t k = 0; k < clusters(); ++k) {
      nearest = std::min(nearest, model_.pairs.largest - room.affinities[k] / members_.sizes[k]);
      room.affinities[k] -= shift_.of(mean, k);
    }
    set_ties(room.affinities, room.ties);
    const bool are_distances =
        model_.shape == Shape::distance || model_.result.distance == "euclidean";
    const double far = are_distances ? portable_log(std::max(nearest, kLeast)) : SeenRow::kUnknown;
    const double centred = is_graph ? 0 : mean;
    squares -= members_.all * centred * centred;
    if (self) {
      squares -= (*self - centred) * (*self - centred);
    }
    visit(i, {room.ties, self ? *self - shift_.of_self(mean) : 0.0,
              std::sqrt(std::max(0.0, squares)), far});
  }

  // Only the clusters it has edges to.
  void visit_node_of_graph(const Rows& rows, std::size_t i, Room& room, bool are_probabilities,
                           const RowVisit& visit) const {
    room.ties.clear();
    double sum = 0;
    double squares = 0;
    double self = 0;
    for_each_given(rows, i, model_, model_.pairs.largest, are_probabilities,
                   [&](std::size_t j, double x) {
                     room.ties.push_back({members_.labels[j], x});
                     sum += x;
                     squares += j == i ? 0 : x * x;
                     self = j == i ? x : self;
                   });
    room.ties.push_back({members_.labels[i], 0});
    add_up(room.ties);
    const double mean = sum / static_cast<double>(members_.size());
    for (ClusterTie& tie : room.ties) {
      tie.affinity -= shift_.of(mean, static_cast<std::size_t>(tie.cluster));
    }
    visit(i, {room.ties, self - shift_.of_self(mean), std::sqrt(squares), SeenRow::kUnknown});
  }

  [[nodiscard]] std::size_t clusters() const { return model_.result.sizes.size(); }
  [[nodiscard]] std::size_t label(std::size_t node) const {
    return static_cast<std::size_t>(members_.labels[node]);
  }

  const Model& model_;
  Members members_;
  MeanShift shift_;
  std::optional<TrainingRows> training_;
};

}  // namespace

PairMeans pair_means(const Model& model, const Rows& values, ThreadTeam& team) {
  const Members members(model);
  const std::size_t n = members.size();
  PairMeans pairs;
  pairs.means.assign(n, 0.0);
  if (model.shape != Shape::features) {
    if (model.shape == Shape::distance) {
      pairs.largest = largest_entry(std::get<DenseArray>(values));
    }
    for_each_row(
        n, team, [] { return 0; },
        [&](std::size_t i, int) {
          double sum = 0;
          for_each_given(values, i, model, pairs.largest, are_log_odds(model),
                         [&](std::size_t, double x) { sum += x; });
          pairs.means[i] = sum / static_cast<double>(n);
        });
    return pairs;
  }
  const auto& rows = std::get<DenseArray>(values);
  const Scaling scaling = scaling_of(model);
  const TrainingRows training(rows, scaling, team);
  if (model.result.similarity == "rbf") {
    pairs.widths.assign(n, 0.0);
    training.measure(rows, scaling, team, [&](std::size_t i, std::span<double> squared) {
      pairs.widths[i] = own_width(squared, model.options.similarity.sigma);
    });
    training.measure(rows, scaling, team, [&](std::size_t i, std::span<double> squared) {
      to_similarities(squared, model, pairs);
      pairs.means[i] = mean_of(squared, members);
    });
    return pairs;
  }
  std::vector<double> farthest(n, 0.0);
  training.measure(rows, scaling, team, [&](std::size_t i, std::span<double> squared) {
    farthest[i] = std::sqrt(*std::ranges::max_element(squared));
    for (double& value : squared) {
      value = std::sqrt(value);
    }
    pairs.means[i] = mean_of(squared, members);
  });
  pairs.largest = *std::ranges::max_element(farthest);
  for (double& mean : pairs.means) {
    mean = pairs.largest - mean;
  }
  return pairs;
}

std::unique_ptr<Affinity> pair_affinity(const Model& model, ThreadTeam& team) {
  return std::make_unique<PairAffinity>(model, team);
}

}  // namespace shiftcut

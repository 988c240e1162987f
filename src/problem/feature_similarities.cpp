#include "problem/feature_similarities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "core/fingerprint.hpp"
#include "core/message.hpp"
#include "neighbors/kept_neighbors.hpp"
#include "neighbors/metrics/cosine_neighbors.hpp"
#include "neighbors/metrics/metric_search.hpp"
#include "neighbors/nearest_neighbors.hpp"
#include "shiftcut/words.hpp"
#include "similarity/choose_scale.hpp"
#include "similarity/distance_matrix.hpp"
#include "similarity/scaling.hpp"
#include "similarity/tuning.hpp"

namespace shiftcut {

SparseMatrix weighted(SparseMatrix graph, const NodeWeights& weights) {
  if (weights.empty()) {
    return graph;
  }
  SparseMatrix out;
  out.rows = out.columns_count = graph.rows;
  out.offsets.push_back(0);
  for (ObjectId i = 0; i < graph.rows; ++i) {
    const double own = weights.of(i);
    const double loop = std::max(0.0, own * (own - 1));
    bool is_next = loop > 0;
    const auto add_loop = [&] {
      out.columns.push_back(i);
      out.values.push_back(loop);
      is_next = false;
    };
    for (auto e = static_cast<std::size_t>(graph.offsets[i]);
         e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
      if (is_next && graph.columns[e] > i) {
        add_loop();
      }
      out.columns.push_back(graph.columns[e]);
      out.values.push_back(own * weights.of(graph.columns[e]) * graph.values[e]);
    }
    if (is_next) {
      add_loop();
    }
    out.offsets.push_back(static_cast<std::int64_t>(out.columns.size()));
  }
  return out;
}

namespace {

// The table keeps distances only where weights depend on them.
void keep(NeighborLists lists, Weights weights, NeighborDistances distances, Similarities& made) {
  made.neighbors = std::make_shared<const NeighborTable>(
      NeighborTable{lists.n, lists.k, std::move(lists.ids),
                    weights == Weights::gaussian ? lists.squared : std::vector<double>{}});
  distances.table = made.neighbors;
  distances.squared = std::move(lists.squared);
  made.distances = std::make_shared<const NeighborDistances>(std::move(distances));
}

}  // namespace

Similarities from_neighbors(NeighborLists lists, const SimilarityOptions& options,
                            const NodeWeights& weights, NeighborDistances distances,
                            NamedScale scale, std::vector<Message> warnings, ThreadTeam& team) {
  if (options.neighbors > lists.k) {
    warnings.push_back(
        message("too_many_neighbors", "neighbors",
                "{neighbors}: {} asked for, but there are only {} other objects: all are used, and "
                "nothing tells the objects apart.",
                options.neighbors, lists.k));
  }
  auto graph = std::make_shared<const SparseMatrix>(
      weighted(neighbor_graph(lists, options.weights, team), weights));
  Similarities made{GraphEdges{std::move(graph)}, "neighbors", "", std::move(scale.word),
                    std::move(warnings)};
  keep(std::move(lists), options.weights, std::move(distances), made);
  return made;
}

// ---- Dense rows ----

namespace {

// The same neighbours have the same name in a checkpoint.
std::string name_of_neighbors(const Scaling& scaling, Metric metric) {
  Fingerprint rows;
  rows.add_numbers(scaling.offset)
      .add_numbers(scaling.factor)
      .add(static_cast<std::uint64_t>(metric));
  return fmt::format("neighbors-{:016x}", rows.value());
}

// The nearest neighbours that were found before, if that was by the same distances.
NeighborLists neighbors_of(const FeatureRows& rows, const NodeWeights& weights,
                           const KnownNeighbors* known, const SimilarityOptions& options,
                           ThreadTeam& team, const Control& control) {
  const std::size_t wanted = neighbors_for(options.neighbors, rows.size(), !weights.empty());
  if (known == nullptr || !options.feature_weights.empty()) {
    return nearest_neighbors(rows, options.metric, wanted, team, control, options.region_rows);
  }
  NeighborTable table = known->load();
  if (table.objects != rows.size() || table.places != std::min(wanted, rows.size() - 1) ||
      table.squared.size() != table.ids.size()) {
    refuse("wrong_length", "",
           "neighbours: found {} of each of {} rows; allowed: {} of each of {}, with distances",
           table.places, table.objects, std::min(wanted, rows.size() - 1), rows.size());
  }
  return lists_of(std::move(table));
}

Similarities from_scaled_features(const DenseArray& data, const KnownNeighbors* known,
                                  const Scaling& scaling, const NodeWeights& weights,
                                  const SimilarityOptions& options, ThreadTeam& team,
                                  const Control& control) {
  std::vector<Message> warnings;
  if (scaling.constant_columns == data.columns() && data.rows() > 1) {
    warnings.push_back(message("equal_rows", "",
                               "All rows are equal, so nothing tells the objects apart: any "
                               "grouping is as good as any other."));
  }
  const std::string scale(word_of(options.scale));
  if (options.kind == Similarity::cosine) {
    FeatureRows rows = FeatureRows::unit_centred(data, scaling, team, weights.values());
    if (rows.zero_rows() > 0) {
      warnings.push_back(message(
          "zero_rows", "",
          "{} rows are zero and have no direction: their cosine with every row is taken as 0.",
          rows.zero_rows()));
    }
    return {RowProducts{std::move(rows), Similarity::cosine}, "cosine", "", scale,
            std::move(warnings)};
  }
  if (options.kind == Similarity::rbf) {
    DenseArray x =
        rbf_similarities(FeatureRows::scaled(data, scaling), options.sigma, team, control);
    return {FullMatrix{std::move(x), false}, "rbf", "", scale, std::move(warnings)};
  }
  if (options.kind == Similarity::neighbors) {
    FeatureRows rows = FeatureRows::for_metric(options.metric, data, scaling, team);
    if (rows.zero_rows() > 0) {
      warnings.push_back(message(
          "zero_rows", "",
          "{} rows have no direction: they are taken to be as far from all others as orthogonal "
          "rows are.",
          rows.zero_rows()));
    }
    const std::size_t k =
        std::min(neighbors_for(options.neighbors, data.rows(), !weights.empty()), data.rows() - 1);
    NeighborLists lists = kept_neighbors(
        known == nullptr ? control.checkpoint : nullptr, name_of_neighbors(scaling, options.metric),
        data.rows(), k, [&] { return neighbors_of(rows, weights, known, options, team, control); });
    NeighborDistances distances{nullptr, {}, nullptr, {}, data.columns()};
    if (!compares_all_pairs(options.metric)) {
      distances.rows = std::make_shared<const FeatureRows>(std::move(rows));
    }
    return from_neighbors(std::move(lists), options, weights, std::move(distances), {scale, ""},
                          std::move(warnings), team);
  }
  FeatureRows rows = FeatureRows::centred(data, scaling);
  if (options.distance == Distance::euclidean) {
    DenseArray distances = euclidean_distances(rows, team, control);
    return {FullMatrix{std::move(distances), true}, "linear", "euclidean", scale,
            std::move(warnings)};
  }
  return {RowProducts{std::move(rows), Similarity::linear}, "linear", "sqeuclidean", scale,
          std::move(warnings)};
}

bool is_of_sets(Metric metric) { return metric == Metric::hamming || metric == Metric::jaccard; }

void check_metric(const DenseArray& data, const SimilarityOptions& options) {
  if (options.kind != Similarity::neighbors || !compares_all_pairs(options.metric)) {
    return;
  }
  if (is_of_sets(options.metric) && options.scale != Scale::automatic &&
      options.scale != Scale::none) {
    refuse("not_applicable", "scale",
           "{scale}: found {} with {metric} {}, which only sees whether numbers are equal, or 0; "
           "allowed: none or auto",
           word_of(options.scale), word_of(options.metric));
  }
  if (is_of_sets(options.metric) && !options.feature_weights.empty()) {
    refuse("not_applicable", "feature_weights",
           "feature weights: found with {metric} {}; allowed: with metrics of differences",
           word_of(options.metric));
  }
  if (const std::size_t most = most_rows_compared(data.columns()); data.rows() > most) {
    refuse("too_large", "metric",
           "{metric}: found {} for {} rows of {} columns, all pairs of which would be compared; "
           "allowed: up to {} rows of this length, a sample of the rows, or {metric=euclidean}, "
           "{metric=cosine} or {metric=correlation}, which need not compare all",
           word_of(options.metric), data.rows(), data.columns(), most);
  }
}

Scaling known_scaling(const KnownNeighbors& known) {
  Scaling scaling;
  scaling.offset = known.offset;
  scaling.factor = known.factor;
  return scaling;
}

// Standard or none where that is to be chosen, with the reason.
ScaleChoice scale_for(const DenseArray& data, const SimilarityOptions& options,
                      const std::string& name, ThreadTeam& team) {
  if (options.scale != Scale::automatic) {
    return {options.scale, ""};
  }
  if (options.kind == Similarity::cosine &&
      share_of_zeros(data, team) >= similarity_tuning::kMostlyZeros) {
    return {Scale::none, "rows of mostly zeros have a direction only as they are"};
  }
  if (options.kind == Similarity::neighbors && options.metric != Metric::euclidean &&
      options.metric != Metric::manhattan && options.metric != Metric::chebyshev) {
    return {Scale::none,
            is_of_sets(options.metric)
                ? fmt::format("{} distances do not depend on it", word_of(options.metric))
                : fmt::format("{} distances are those of the rows as they are",
                              word_of(options.metric))};
  }
  return choose_scale(data, scaling_of(data, Scale::none, name, team), team);
}

}  // namespace

Similarities from_dense_features(const DenseArray& data, const Input& input,
                                 const NodeWeights& weights, const SimilarityOptions& options,
                                 ThreadTeam& team, const Control& control) {
  check_metric(data, options);
  const ScaleChoice choice = scale_for(data, options, input.name, team);
  const KnownNeighbors* known = input.neighbors.get();
  Scaling scaling = known != nullptr && !known->offset.empty()
                        ? known_scaling(*known)
                        : scaling_of(data, choice.scale, input.name, team, weights.values());
  weigh(scaling, options.feature_weights);
  SimilarityOptions chosen = options;
  chosen.scale = choice.scale;
  Similarities made = from_scaled_features(data, known, scaling, weights, chosen, team, control);
  made.scaling = {std::move(scaling.offset), std::move(scaling.factor)};
  made.scale_reason = choice.reason;
  made.metric = options.kind == Similarity::neighbors ? word_of(options.metric) : "";
  return made;
}

void add_row_distances(const DenseArray& data, const std::string& name,
                       const SimilarityOptions& options, ThreadTeam& team, Similarities& made) {
  Scaling scaling = scaling_of(data, scale_for(data, options, name, team).scale, name, team);
  weigh(scaling, options.feature_weights);
  NeighborDistances distances{nullptr, {}, nullptr, {}, data.columns()};
  if (!compares_all_pairs(options.metric)) {
    distances.rows = std::make_shared<const FeatureRows>(
        FeatureRows::for_metric(options.metric, data, scaling, team));
  }
  made.distances = std::make_shared<const NeighborDistances>(std::move(distances));
  made.scaling = {std::move(scaling.offset), std::move(scaling.factor)};
}

// ---- Sparse rows ----

namespace {

double dot(const SparseMatrix& rows, ObjectId i, ObjectId j) {
  auto e = static_cast<std::size_t>(rows.offsets[i]);
  auto f = static_cast<std::size_t>(rows.offsets[j]);
  const auto last_e = static_cast<std::size_t>(rows.offsets[i + 1]);
  const auto last_f = static_cast<std::size_t>(rows.offsets[j + 1]);
  double sum = 0;
  while (e < last_e && f < last_f) {
    if (rows.columns[e] == rows.columns[f]) {
      sum += rows.values[e++] * rows.values[f++];
    } else {
      rows.columns[e] < rows.columns[f] ? ++e : ++f;
    }
  }
  return sum;
}

// 2 (1 - cosine); a row without a direction has cosine 0 with every other.
double squared_distance(const SparseMatrix& rows, ObjectId i, ObjectId j) {
  const double norms = std::sqrt(dot(rows, i, i) * dot(rows, j, j));
  return norms > 0 ? 2 * (1 - dot(rows, i, j) / norms) : 2.0;
}

// Rows that an object stands for.
std::size_t count_of(const NodeWeights& weights, std::size_t i) {
  return static_cast<std::size_t>(
      std::max(1LL, std::llround(weights.of(static_cast<ObjectId>(i)))));
}

bool is_zero_row(const SparseMatrix& rows, std::size_t i) {
  double squared = 0;
  for (auto e = static_cast<std::size_t>(rows.offsets[i]);
       e < static_cast<std::size_t>(rows.offsets[i + 1]); ++e) {
    squared += rows.values[e] * rows.values[e];
  }
  return squared == 0;
}

// Rows that the graph leaves alone: empty ones, and those that share no column with another.
std::vector<Message> lonely_warnings(const NeighborLists& lists, const SparseMatrix& rows,
                                     const NodeWeights& weights, Metric metric) {
  std::size_t alone = 0;
  for (std::size_t i = 0; i < lists.n; ++i) {
    const std::size_t count = count_of(weights, i);
    alone += lists.of(i).empty() && (count == 1 || is_zero_row(rows, i)) ? count : 0;
  }
  if (alone == 0 || (lists.n == 1 && alone == 1)) {
    return {};
  }
  return {message("rows_without_neighbors", "",
                  metric == Metric::jaccard
                      ? "{} rows share no column with another row: they have no neighbours."
                      : "{} rows have a cosine above 0 with no other row: they have no neighbours.",
                  alone)};
}

// Rows without a direction.
std::size_t count_zero_rows(const SparseMatrix& rows, const NodeWeights& weights) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    count += is_zero_row(rows, i) ? count_of(weights, i) : 0;
  }
  return count;
}

}  // namespace

NeighborDistances distances_of_sparse_rows(const SparseMatrix& rows, Metric metric) {
  NeighborDistances distances{nullptr, {}, nullptr, {}, rows.columns_count};
  if (metric == Metric::cosine) {
    distances.between = [&rows](ObjectId i, ObjectId j) { return squared_distance(rows, i, j); };
  }
  return distances;
}

Similarities from_sparse_features(const SparseMatrix& rows, const NodeWeights& weights,
                                  const SimilarityOptions& options, ThreadTeam& team,
                                  const Control& control) {
  if (options.scale != Scale::automatic && options.scale != Scale::none) {
    refuse("not_applicable", "scale",
           "{scale}: found {} for sparse rows; allowed: none (scaling would fill them)",
           word_of(options.scale));
  }
  const bool linear = options.kind == Similarity::linear;
  if (options.kind == Similarity::rbf || (linear && options.distance == Distance::euclidean)) {
    refuse("not_applicable", "similarity",
           "{similarity}: found one that needs an n x n matrix for sparse rows; allowed: cosine, "
           "neighbors, or linear with {distance=sqeuclidean}");
  }
  if (options.kind == Similarity::neighbors) {
    if (options.metric != Metric::cosine && options.metric != Metric::jaccard) {
      refuse("not_applicable", "metric",
             "{metric}: found {} for sparse rows; allowed: cosine or jaccard, or dense rows",
             word_of(options.metric));
    }
    const std::size_t k = neighbors_for(options.neighbors, rows.rows, !weights.empty());
    NeighborLists lists = kept_neighbors(
        control.checkpoint, "neighbors-sparse", rows.rows, std::min(k, rows.rows - 1),
        [&] { return cosine_neighbors(rows, k, team, control, options.metric); });
    std::vector<Message> warnings = lonely_warnings(lists, rows, weights, options.metric);
    Similarities made = from_neighbors(std::move(lists), options, weights,
                                       distances_of_sparse_rows(rows, options.metric), {"none", ""},
                                       std::move(warnings), team);
    made.metric = word_of(options.metric);
    return made;
  }
  std::vector<Message> warnings;
  if (const std::size_t zero_rows = linear ? 0 : count_zero_rows(rows, weights); zero_rows > 0) {
    warnings.push_back(message(
        "zero_rows", "",
        "{} rows are empty and have no direction: their cosine with every row is taken as 0.",
        zero_rows));
  }
  return {SparseRowProducts{&rows, options.kind}, linear ? "linear" : "cosine",
          linear ? "sqeuclidean" : "", "none", std::move(warnings)};
}

}  // namespace shiftcut

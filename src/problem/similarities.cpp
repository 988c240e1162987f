#include "problem/similarities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/kernels/elementary.hpp"
#include "core/message.hpp"
#include "neighbors/cosine_neighbors.hpp"
#include "neighbors/nearest_neighbors.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "shiftcut/words.hpp"
#include "similarity/distance_matrix.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

namespace {

void check_options(const Input& input, const SimilarityOptions& options) {
  constexpr std::size_t kMostNeighbors = 1000;
  const bool is_dense = std::holds_alternative<DenseArray>(input.values);
  const bool is_features = input.shape == Shape::features;
  if (options.weights == Weights::log_odds && (is_features || is_dense)) {
    refuse("not_applicable", "weights",
           "{weights}: found log-odds for {}, which is not a graph; allowed: an edge list or "
           "sparse matrix of probabilities",
           input.name);
  }
  if (!options.feature_weights.empty() && !(is_features && is_dense)) {
    refuse("not_applicable", "feature_weights",
           "feature weights: found with {}; allowed: only with features in a dense table",
           input.name);
  }
  if (options.kind == Similarity::neighbors && options.neighbors > kMostNeighbors) {
    refuse("out_of_range", "neighbors", "{neighbors}: found {}; allowed: 1 to {}",
           options.neighbors, kMostNeighbors);
  }
}

std::string_view scale_name(Scale scale) {
  return word_of(scale == Scale::automatic ? Scale::standard : scale);
}

// Distances are kept where weights depend on them.
std::shared_ptr<const NeighborTable> kept(NeighborLists lists, Weights weights) {
  return std::make_shared<const NeighborTable>(NeighborTable{
      lists.n, lists.k, std::move(lists.ids),
      weights == Weights::gaussian ? std::move(lists.squared) : std::vector<double>{}});
}

Similarities from_neighbors(NeighborLists lists, const SimilarityOptions& options,
                            std::string scale, std::vector<Message> warnings, ThreadTeam& team) {
  if (options.neighbors > lists.k) {
    warnings.push_back(
        message("too_many_neighbors", "neighbors",
                "{neighbors}: {} asked for, but there are only {} other objects: all are used, and "
                "nothing tells the objects apart.",
                options.neighbors, lists.k));
  }
  auto graph = std::make_shared<const SparseMatrix>(neighbor_graph(lists, options.weights, team));
  Similarities made{GraphEdges{std::move(graph)}, "neighbors", "", std::move(scale),
                    std::move(warnings)};
  made.neighbors = kept(std::move(lists), options.weights);
  return made;
}

Similarities from_scaled_features(const DenseArray& data, const Scaling& scaling,
                                  const SimilarityOptions& options, ThreadTeam& team,
                                  const Control& control) {
  std::vector<Message> warnings;
  if (scaling.constant_columns == data.columns() && data.rows() > 1) {
    warnings.push_back(message("equal_rows", "",
                               "All rows are equal, so nothing tells the objects apart: any "
                               "grouping is as good as any other."));
  }
  const std::string scale(scale_name(options.scale));
  if (options.kind == Similarity::cosine) {
    FeatureRows rows = FeatureRows::unit_centred(data, scaling, team);
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
    NeighborLists lists =
        nearest_neighbors(FeatureRows::scaled(data, scaling),
                          neighbors_for(options.neighbors, data.rows()), team, control);
    return from_neighbors(std::move(lists), options, scale, std::move(warnings), team);
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

Similarities from_dense_features(const DenseArray& data, const std::string& name,
                                 const SimilarityOptions& options, ThreadTeam& team,
                                 const Control& control) {
  Scaling scaling = scaling_of(data, options.scale, name, team);
  weigh(scaling, options.feature_weights);
  Similarities made = from_scaled_features(data, scaling, options, team, control);
  made.scaling = {std::move(scaling.offset), std::move(scaling.factor)};
  return made;
}

// Objects that the graph leaves alone: empty rows, and rows that share no column with another.
std::vector<Message> cosine_warnings(const NeighborLists& lists) {
  std::size_t alone = 0;
  for (std::size_t i = 0; i < lists.n; ++i) {
    alone += lists.of(i).empty() ? 1 : 0;
  }
  if (alone == 0 || lists.n == 1) {
    return {};
  }
  return {message("rows_without_neighbors", "",
                  "{} rows have a cosine above 0 with no other row: they have no neighbours.",
                  alone)};
}

// Rows without a direction.
std::size_t count_zero_rows(const SparseMatrix& rows) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    double squared = 0;
    for (auto e = static_cast<std::size_t>(rows.offsets[i]);
         e < static_cast<std::size_t>(rows.offsets[i + 1]); ++e) {
      squared += rows.values[e] * rows.values[e];
    }
    count += squared == 0 ? 1 : 0;
  }
  return count;
}

Similarities from_sparse_features(const SparseMatrix& rows, const SimilarityOptions& options,
                                  ThreadTeam& team, const Control& control) {
  if (options.scale != Scale::automatic && options.scale != Scale::none) {
    refuse("not_applicable", "scale",
           "{scale}: found {} for sparse rows; allowed: none (scaling would fill them)",
           scale_name(options.scale));
  }
  const bool linear = options.kind == Similarity::linear;
  if (options.kind == Similarity::rbf || (linear && options.distance == Distance::euclidean)) {
    refuse("not_applicable", "similarity",
           "{similarity}: found one that needs an n x n matrix for sparse rows; allowed: cosine, "
           "neighbors, or linear with {distance=sqeuclidean}");
  }
  if (options.kind == Similarity::neighbors) {
    NeighborLists lists =
        cosine_neighbors(rows, neighbors_for(options.neighbors, rows.rows), team, control);
    std::vector<Message> warnings = cosine_warnings(lists);
    return from_neighbors(std::move(lists), options, "none", std::move(warnings), team);
  }
  std::vector<Message> warnings;
  if (const std::size_t zero_rows = linear ? 0 : count_zero_rows(rows); zero_rows > 0) {
    warnings.push_back(message(
        "zero_rows", "",
        "{} rows are empty and have no direction: their cosine with every row is taken as 0.",
        zero_rows));
  }
  return {SparseRowProducts{&rows, options.kind}, linear ? "linear" : "cosine",
          linear ? "sqeuclidean" : "", "none", std::move(warnings)};
}

// Probabilities of exactly 0 and 1 count as nearly so.
SparseMatrix log_odds(SparseMatrix graph, const std::string& name) {
  constexpr double kNearly = 1e-12;
  for (double& value : graph.values) {
    if (!(value >= 0 && value <= 1)) {
      refuse("out_of_range", "weights",
             "{weights}: found log-odds for {}, which has the weight {}; allowed: probabilities "
             "from 0 to 1, each edge once (those given twice are summed)",
             name, value);
    }
    const double p = std::clamp(value, kNearly, 1 - kNearly);
    value = portable_log(p / (1 - p));
  }
  return graph;
}

Similarities from_graph(const SparseMatrix& graph, const std::string& name, bool are_log_odds) {
  auto edges = are_log_odds ? std::make_shared<const SparseMatrix>(log_odds(graph, name))
                            : std::shared_ptr<const SparseMatrix>(std::shared_ptr<void>(), &graph);
  Similarities made{GraphEdges{std::move(edges)}, "precomputed", "", "", {}};
  made.are_log_odds = are_log_odds;
  return made;
}

Similarities from_input(const Input& input, const SimilarityOptions& options, ThreadTeam& team,
                        const Control& control) {
  if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
    if (input.shape == Shape::features) {
      return from_dense_features(*dense, input.name, options, team, control);
    }
    return {FullMatrix{*dense, input.shape == Shape::distance}, "precomputed", "", "", {}};
  }
  const auto& sparse = std::get<SparseMatrix>(input.values);
  return input.shape == Shape::features
             ? from_sparse_features(sparse, options, team, control)
             : from_graph(sparse, input.name, options.weights == Weights::log_odds);
}

}  // namespace

Similarities make_similarities(const Input& input, const SimilarityOptions& options,
                               ThreadTeam& team, const Control& control) {
  check_options(input, options);
  Similarities made = from_input(input, options, team, control);
  made.name = input.name;
  made.objects = input.objects();
  return made;
}

Similarities similarities_of_neighbors(const NeighborTable& neighbors,
                                       const SimilarityOptions& options, ThreadTeam& team) {
  auto graph = std::make_shared<const SparseMatrix>(
      neighbor_graph(lists_of(neighbors), options.weights, team));
  Similarities made{GraphEdges{std::move(graph)}, "neighbors", "", "", {}};
  made.objects = neighbors.objects;
  return made;
}

}  // namespace shiftcut

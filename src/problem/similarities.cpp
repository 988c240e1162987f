#include "problem/similarities.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/kernels/elementary.hpp"
#include "core/message.hpp"
#include "neighbors/metrics/matrix_neighbors.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "problem/feature_similarities.hpp"
#include "shiftcut/words.hpp"
#include "similarity/choose_scale.hpp"
#include "similarity/tuning.hpp"

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
  if (options.metric != Metric::automatic &&
      !(is_features && options.kind == Similarity::neighbors)) {
    refuse("not_applicable", "metric",
           "{metric}: found {} {}; allowed: only with the neighbours of features",
           word_of(options.metric),
           is_features ? fmt::format("for {} similarities", word_of(options.kind))
                       : fmt::format("for {}, which holds no features", input.name));
  }
  if (options.kind == Similarity::neighbors && !is_features && is_dense &&
      input.shape == Shape::similarity && options.weights == Weights::gaussian) {
    refuse("not_applicable", "weights",
           "{weights}: found gaussian for similarities; allowed: shared or binary, or distances");
  }
  if (options.kind == Similarity::neighbors && options.neighbors > kMostNeighbors) {
    refuse("out_of_range", "neighbors", "{neighbors}: found {}; allowed: 1 to {}",
           options.neighbors, kMostNeighbors);
  }
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

// 0 if a number is negative.
double share_of_zeros(const SparseMatrix& rows) {
  const auto is_not_zero = [](double value) { return value != 0; };
  if (std::ranges::any_of(rows.values, [](double value) { return value < 0; })) {
    return 0;
  }
  return 1 - static_cast<double>(std::ranges::count_if(rows.values, is_not_zero)) /
                 (static_cast<double>(rows.rows) * static_cast<double>(rows.columns_count));
}

// Whether an option says that neighbours are wanted.
bool names_neighbors(const SimilarityOptions& options) {
  return options.neighbors > 0 || options.metric != Metric::automatic ||
         options.weights == Weights::binary || options.weights == Weights::gaussian;
}

Similarities from_input(const Input& input, const NodeWeights& weights,
                        const SimilarityOptions& options, ThreadTeam& team,
                        const Control& control) {
  if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
    if (input.shape == Shape::features) {
      return from_dense_features(*dense, input, weights, options, team, control);
    }
    const bool are_distances = input.shape == Shape::distance;
    if (options.kind == Similarity::neighbors) {
      NeighborDistances distances;
      if (are_distances) {
        distances.between = [dense](ObjectId i, ObjectId j) {
          const double distance = dense->at(i, j);
          return distance * distance;
        };
      }
      return from_neighbors(matrix_neighbors(*dense, are_distances,
                                             neighbors_for(options.neighbors, dense->rows()), team),
                            options, weights, std::move(distances), {}, {}, team);
    }
    return {FullMatrix{*dense, are_distances}, "precomputed", "", "", {}};
  }
  const auto& sparse = std::get<SparseMatrix>(input.values);
  return input.shape == Shape::features
             ? from_sparse_features(sparse, weights, options, team, control)
             : from_graph(sparse, input.name, options.weights == Weights::log_odds);
}

}  // namespace

SimilarityOptions chosen_similarity(const Input& input, SimilarityOptions options, bool needs_graph,
                                    ThreadTeam& team) {
  const bool is_features = input.shape == Shape::features;
  const auto* dense = std::get_if<DenseArray>(&input.values);
  const bool chooses_kind = options.kind == Similarity::automatic;
  if (!is_features) {
    const bool is_matrix = dense != nullptr && input.shape != Shape::graph;
    if (chooses_kind && is_matrix && (input.shape == Shape::distance || names_neighbors(options))) {
      options.kind = Similarity::neighbors;
    }
    return options;
  }
  const bool chooses_metric = options.metric == Metric::automatic &&
                              (chooses_kind || options.kind == Similarity::neighbors);
  if (!chooses_kind && !chooses_metric) {
    return options;
  }
  return chosen_by_zeros(std::move(options), needs_graph, dense == nullptr,
                         dense != nullptr ? share_of_zeros(*dense, team)
                                          : share_of_zeros(std::get<SparseMatrix>(input.values)));
}

SimilarityOptions chosen_by_zeros(SimilarityOptions options, bool needs_graph, bool is_sparse,
                                  double zeros) {
  using namespace similarity_tuning;
  const bool chooses_kind = options.kind == Similarity::automatic;
  const bool chooses_metric = options.metric == Metric::automatic &&
                              (chooses_kind || options.kind == Similarity::neighbors);
  if (chooses_kind) {
    options.kind = zeros >= kNearlyAllZeros && !names_neighbors(options) && !needs_graph
                       ? Similarity::cosine
                       : Similarity::neighbors;
  }
  if (chooses_metric && options.kind == Similarity::neighbors) {
    options.metric = is_sparse || zeros >= kMostlyZeros ? Metric::cosine : Metric::euclidean;
  }
  return options;
}

Similarities make_similarities(const Input& input, const SimilarityOptions& given, ThreadTeam& team,
                               const Control& control) {
  const SimilarityOptions options = chosen_similarity(input, given, false, team);
  check_options(input, options);
  NodeWeights weights(input.weights);
  Similarities made = from_input(input, weights, options, team, control);
  made.weights = std::move(weights);
  made.name = input.name;
  made.objects = input.objects();
  return made;
}

Similarities similarities_of_neighbors(const NeighborTable& neighbors,
                                       const SimilarityOptions& options, std::vector<double> given,
                                       ThreadTeam& team) {
  NodeWeights weights(std::move(given));
  auto graph = std::make_shared<const SparseMatrix>(
      weighted(neighbor_graph(lists_of(neighbors), options.weights, team), weights));
  Similarities made{GraphEdges{std::move(graph)}, "neighbors", "", "", {}};
  made.weights = std::move(weights);
  made.objects = neighbors.objects;
  return made;
}

Similarities similarities_of_neighbors(const NeighborTable& neighbors, const Input& input,
                                       const SimilarityOptions& given, ThreadTeam& team) {
  const SimilarityOptions options = chosen_similarity(input, given, true, team);
  check_options(input, options);
  Similarities made = similarities_of_neighbors(neighbors, options, {}, team);
  made.name = input.name;
  if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
    add_row_distances(*dense, input.name, options, team, made);
  } else {
    made.distances = std::make_shared<const NeighborDistances>(
        distances_of_sparse_rows(std::get<SparseMatrix>(input.values), options.metric));
  }
  return made;
}

}  // namespace shiftcut

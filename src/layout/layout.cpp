#include "shiftcut/layout.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/message.hpp"
#include "core/rng.hpp"
#include "layout/fuzzy_graph.hpp"
#include "layout/graph_start.hpp"
#include "layout/principal_components.hpp"
#include "layout/spread.hpp"
#include "layout/tuning.hpp"
#include "problem/similarities.hpp"
#include "run/predict/affinity.hpp"
#include "run/row_nodes.hpp"

namespace shiftcut {

namespace {

using namespace layout_tuning;

// The columns that the scaling leaves in.
std::vector<std::size_t> used_columns(const DenseArray& rows, const FeatureScaling& scaling) {
  std::vector<std::size_t> used;
  for (std::size_t j = 0; j < rows.columns(); ++j) {
    if (scaling.factor.empty() || scaling.factor[j] != 0) {
      used.push_back(j);
    }
  }
  return used;
}

Layout columns_as_they_are(const DenseArray& rows, const FeatureScaling& scaling,
                           const std::vector<std::size_t>& used) {
  Layout places(rows.rows());
  const auto scaled = [&](std::size_t i, std::size_t j) {
    return scaling.factor.empty() ? rows.at(i, j)
                                  : (rows.at(i, j) - scaling.offset[j]) * scaling.factor[j];
  };
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    places[i].x = used.empty() ? 0 : scaled(i, used[0]);
    places[i].y = used.size() < 2 ? 0 : scaled(i, used[1]);
  }
  return places;
}

Layout components_of(const Input& input, const Result& result, ThreadTeam& team) {
  if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
    return principal_components(*dense, result.scaling, input.weights, team);
  }
  return principal_components(std::get<SparseMatrix>(input.values), input.weights, team);
}

// The similarities under which rows or objects of a matrix have the neighbours to keep together.
SimilarityOptions with_neighbors(const Input& input, SimilarityOptions options) {
  if (options.kind != Similarity::neighbors) {
    if (input.shape == Shape::features) {
      options.metric =
          options.kind == Similarity::cosine || std::holds_alternative<SparseMatrix>(input.values)
              ? Metric::cosine
              : Metric::euclidean;
    }
    options.kind = Similarity::neighbors;
    options.weights = Weights::shared;
    options.neighbors = 0;
  }
  return options;
}

FuzzyGraph graph_of(const RowNodes& nodes, const Options& options, const Result& result,
                    const NeighborTable* neighbors, ThreadTeam& team, const Control& control) {
  if (neighbors != nullptr && neighbors->objects == nodes.size()) {
    return fuzzy_graph(*neighbors, team);
  }
  SimilarityOptions similarity = as_used(options.similarity, result);
  if (result.learned) {
    similarity.feature_weights = result.learned->weights;
  }
  const Input& input = nodes.input();
  const bool is_graph =
      std::holds_alternative<SparseMatrix>(input.values) && input.shape != Shape::features;
  const Similarities made = make_similarities(
      input, is_graph ? similarity : with_neighbors(input, similarity), team, control);
  return is_graph ? fuzzy_graph(*std::get<GraphEdges>(made.view).edges, team)
                  : fuzzy_graph(*made.neighbors, team);
}

// Centred, within kStartRadius; no two places are the same, so that all can be pushed apart.
void to_start(Layout& places, std::uint64_t seed) {
  Place sum;
  for (const Place& place : places) {
    sum = {sum.x + place.x, sum.y + place.y};
  }
  const auto n = static_cast<double>(places.size());
  double largest = 0;
  for (Place& place : places) {
    place = {place.x - sum.x / n, place.y - sum.y / n};
    largest = std::max({largest, std::abs(place.x), std::abs(place.y)});
  }
  const double scale = largest > 0 ? kStartRadius / largest : 0;
  Rng rng(seed);
  for (Place& place : places) {
    place.x = place.x * scale + kNoise * (rng.uniform() - 0.5);
    place.y = place.y * scale + kNoise * (rng.uniform() - 0.5);
  }
}

Layout layout_of_nodes(const RowNodes& nodes, const Options& options, const Result& result,
                       const NeighborTable* neighbors, ThreadTeam& team, const Control& control) {
  const std::uint64_t seed = options.search.seed;
  FuzzyGraph graph;
  Layout places;
  {
    StopCheck stop(control, Clock::now(), 0);
    const StopScope scope(team, stop);
    graph = graph_of(nodes, options, result, neighbors, team, control);
    places = graph_start(graph, seed, team);
  }
  to_start(places, seed);
  spread(graph, seed, team, control, places);
  return places;
}

}  // namespace

Layout layout(const Input& input, const Options& options, const Result& result,
              const NeighborTable* neighbors, const Control& control) {
  if (result.labels.size() != input.objects()) {
    refuse("bad_input", "", "result: found {} labels; allowed: {}, one per object",
           result.labels.size(), input.objects());
  }
  ThreadTeam team(options.search.threads);
  if (input.shape == Shape::features) {
    if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
      const std::vector<std::size_t> used = used_columns(*dense, result.scaling);
      if (used.size() <= 2) {
        return columns_as_they_are(*dense, result.scaling, used);
      }
    }
    if (result.similarity == "linear") {
      return components_of(input, result, team);
    }
  }
  const RowNodes nodes(input, options, team);
  if (!nodes.leave_rows()) {
    const Layout of_nodes = layout_of_nodes(nodes, options, result, neighbors, team, control);
    Layout places(input.objects());
    for (ObjectId row = 0; row < places.size(); ++row) {
      places[row] = of_nodes[nodes.of(row)];
    }
    return places;
  }
  Input all = input;  // rows of weight 0 have places as well
  all.weights.clear();
  return layout(all, options, result, nullptr, control);
}

}  // namespace shiftcut

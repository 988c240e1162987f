#include "problem/make_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/kernels/elementary.hpp"
#include "core/memory.hpp"
#include "core/message.hpp"
#include "neighbors/cosine_neighbors.hpp"
#include "neighbors/nearest_neighbors.hpp"
#include "neighbors/neighbor_graph.hpp"
#include "shiftcut/words.hpp"
#include "similarity/distance_matrix.hpp"
#include "similarity/feature_rows.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

namespace {

std::string_view scale_name(Scale scale) {
  return word_of(scale == Scale::automatic ? Scale::standard : scale);
}

// ---- X as a full matrix, where a shift matrix has to be taken from it entry by entry ----

DenseArray as_full_matrix(const SparseMatrix& sparse) {
  const std::size_t n = sparse.rows;
  require_square_fits(n, "a shift matrix", "give the shift as a sparse matrix (.mtx coordinate)");
  std::vector<double> full(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (auto e = sparse.offsets[i]; e < sparse.offsets[i + 1]; ++e) {
      full[i * n + sparse.columns[static_cast<std::size_t>(e)]] =
          sparse.values[static_cast<std::size_t>(e)];
    }
  }
  return DenseArray::own(std::move(full), n, n);
}

void check_shift_size(const ShiftOptions& shift, std::size_t n) {
  const auto [rows, columns] = std::visit(
      [](const auto& m) {
        if constexpr (std::is_same_v<std::decay_t<decltype(m)>, DenseArray>) {
          return std::pair(m.rows(), m.columns());
        } else {
          return std::pair(m.rows, m.columns_count);
        }
      },
      shift.matrix);
  if (rows != n || columns != n) {
    refuse("wrong_length", "shift",
           "{shift=matrix}: found {} x {}; allowed: {} x {}, one row and column per object", rows,
           columns, n, n);
  }
}

// X - strength * alpha, by the problem's own X (made without a shift).
DenseArray minus_shift(const Problem& unshifted, const ShiftOptions& shift, ThreadTeam& team) {
  const std::size_t n = size(unshifted);
  require_square_fits(n, "{shift=matrix}", "use {shift=adaptive} or {shift=constant=A}");
  const DenseArray alpha = std::holds_alternative<DenseArray>(shift.matrix)
                               ? std::get<DenseArray>(shift.matrix)
                               : as_full_matrix(std::get<SparseMatrix>(shift.matrix));
  std::vector<double> s = zeros(n * n, team);
  team.for_each(n, [&](std::size_t i, int) {
    for (ObjectId j = 0; j < n; ++j) {
      s[i * n + j] =
          shifted(unshifted, static_cast<ObjectId>(i), j) - shift.strength * alpha.at(i, j);
    }
  });
  return DenseArray::own(std::move(s), n, n);
}

SparseMatrix minus_sparse_shift(const SparseMatrix& graph, const SparseMatrix& alpha,
                                double strength) {
  std::vector<Entry> entries;
  const auto add = [&](const SparseMatrix& matrix, double factor) {
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      for (auto e = static_cast<std::size_t>(matrix.offsets[i]);
           e < static_cast<std::size_t>(matrix.offsets[i + 1]); ++e) {
        entries.push_back(
            {static_cast<std::uint32_t>(i), matrix.columns[e], factor * matrix.values[e]});
      }
    }
  };
  add(graph, 1);
  add(alpha, -strength);
  return sparse_from_entries(std::move(entries), graph.rows, graph.rows);
}

// ---- The views ----

void check_neighbors(const SimilarityOptions& how) {
  constexpr std::size_t kMost = 1000;
  if (how.kind == Similarity::neighbors && how.neighbors > kMost) {
    refuse("out_of_range", "neighbors", "{neighbors}: found {}; allowed: 1 to {}", how.neighbors,
           kMost);
  }
}

// Distances are kept where weights depend on them.
std::shared_ptr<const NeighborTable> kept(NeighborLists lists, const Options& options) {
  if (!options.keep_neighbors) {
    return nullptr;
  }
  const bool by_distance = options.similarity.weights == Weights::gaussian;
  return std::make_shared<const NeighborTable>(
      NeighborTable{lists.n, lists.k, std::move(lists.ids),
                    by_distance ? std::move(lists.squared) : std::vector<double>{}});
}

MadeProblem from_neighbors(NeighborLists lists, const Options& options, std::string scale,
                           std::vector<Message> warnings, ThreadTeam& team) {
  if (options.similarity.neighbors > lists.k) {
    warnings.push_back(
        message("too_many_neighbors", "neighbors",
                "{neighbors}: {} asked for, but there are only {} other objects: all are used, and "
                "nothing tells the objects apart.",
                options.similarity.neighbors, lists.k));
  }
  auto graph =
      std::make_shared<const SparseMatrix>(neighbor_graph(lists, options.similarity.weights, team));
  return {GraphProblem(std::move(graph), options.shift),
          "neighbors",
          "",
          std::move(scale),
          std::move(warnings),
          {},
          kept(std::move(lists), options)};
}

MadeProblem from_scaled_features(const DenseArray& data, const Scaling& scaling,
                                 const Options& options, ThreadTeam& team, const Control& control) {
  const SimilarityOptions& how = options.similarity;
  std::vector<Message> warnings;
  if (scaling.constant_columns == data.columns() && data.rows() > 1) {
    warnings.push_back(message("equal_rows", "",
                               "All rows are equal, so nothing tells the objects apart: any "
                               "grouping is as good as any other."));
  }
  const std::string scale(scale_name(how.scale));
  if (how.kind == Similarity::cosine) {
    FeatureRows rows = FeatureRows::unit_centred(data, scaling, team);
    if (rows.zero_rows() > 0) {
      warnings.push_back(message(
          "zero_rows", "",
          "{} rows are zero and have no direction: their cosine with every row is taken as 0.",
          rows.zero_rows()));
    }
    return {GramProblem::cosine(std::move(rows), options.shift, team), "cosine", "", scale,
            std::move(warnings)};
  }
  if (how.kind == Similarity::rbf) {
    DenseArray x = rbf_similarities(FeatureRows::scaled(data, scaling), how.sigma, team, control);
    return {DenseProblem::similarities(std::move(x), options.shift, team), "rbf", "", scale,
            std::move(warnings)};
  }
  if (how.kind == Similarity::neighbors) {
    NeighborLists lists =
        nearest_neighbors(FeatureRows::scaled(data, scaling),
                          neighbors_for(how.neighbors, data.rows()), team, control);
    return from_neighbors(std::move(lists), options, scale, std::move(warnings), team);
  }
  FeatureRows rows = FeatureRows::centred(data, scaling);
  if (how.distance == Distance::euclidean) {
    DenseArray distances = euclidean_distances(rows, team, control);
    return {DenseProblem::distances(std::move(distances), options.shift, team), "linear",
            "euclidean", scale, std::move(warnings)};
  }
  const double largest = GramProblem::needs_largest_distance(options.shift)
                             ? largest_squared_distance(rows, team, control)
                             : 0;
  return {GramProblem::linear(std::move(rows), options.shift, largest, team), "linear",
          "sqeuclidean", scale, std::move(warnings)};
}

MadeProblem from_dense_features(const DenseArray& data, const std::string& name,
                                const Options& options, ThreadTeam& team, const Control& control) {
  Scaling scaling = scaling_of(data, options.similarity.scale, name, team);
  weigh(scaling, options.similarity.feature_weights);
  MadeProblem made = from_scaled_features(data, scaling, options, team, control);
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

MadeProblem from_sparse_features(const SparseMatrix& rows, const Options& options, ThreadTeam& team,
                                 const Control& control) {
  const SimilarityOptions& how = options.similarity;
  if (how.scale != Scale::automatic && how.scale != Scale::none) {
    refuse("not_applicable", "scale",
           "{scale}: found {} for sparse rows; allowed: none (scaling would fill them)",
           scale_name(how.scale));
  }
  const bool linear = how.kind == Similarity::linear;
  if (how.kind == Similarity::rbf || (linear && how.distance == Distance::euclidean)) {
    refuse("not_applicable", "similarity",
           "{similarity}: found one that needs an n x n matrix for sparse rows; allowed: cosine, "
           "neighbors, or linear with {distance=sqeuclidean}");
  }
  if (how.kind == Similarity::neighbors) {
    NeighborLists lists =
        cosine_neighbors(rows, neighbors_for(how.neighbors, rows.rows), team, control);
    std::vector<Message> warnings = cosine_warnings(lists);
    return from_neighbors(std::move(lists), options, "none", std::move(warnings), team);
  }
  SparseGramProblem problem(rows, how.kind, options.shift, team);
  std::vector<Message> warnings;
  if (problem.zero_rows() > 0) {
    warnings.push_back(message(
        "zero_rows", "",
        "{} rows are empty and have no direction: their cosine with every row is taken as 0.",
        problem.zero_rows()));
  }
  return {std::move(problem), linear ? "linear" : "cosine", linear ? "sqeuclidean" : "", "none",
          std::move(warnings)};
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

MadeProblem from_view(const Input& input, const Options& options, ThreadTeam& team,
                      const Control& control) {
  if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
    switch (input.shape) {
      case Shape::features:
        return from_dense_features(*dense, input.name, options, team, control);
      case Shape::distance:
        return {DenseProblem::distances(*dense, options.shift, team), "precomputed", "", "", {}};
      case Shape::similarity:
      case Shape::graph:
        return {DenseProblem::similarities(*dense, options.shift, team), "precomputed", "", "", {}};
    }
  }
  const auto& sparse = std::get<SparseMatrix>(input.values);
  if (input.shape == Shape::features) {
    return from_sparse_features(sparse, options, team, control);
  }
  if (options.similarity.weights == Weights::log_odds) {
    auto graph = std::make_shared<const SparseMatrix>(log_odds(sparse, input.name));
    return {GraphProblem(std::move(graph), options.shift), "precomputed", "", "", {}};
  }
  return {GraphProblem(sparse, options.shift), "precomputed", "", "", {}};
}

MadeProblem made_with_shift(const Input& input, const Options& options, ThreadTeam& team,
                            const Control& control) {
  if (options.shift.kind != ShiftKind::matrix) {
    return from_view(input, options, team, control);
  }
  check_shift_size(options.shift, input.objects());
  const auto* graph = std::get_if<SparseMatrix>(&input.values);
  const auto* alpha = std::get_if<SparseMatrix>(&options.shift.matrix);
  if (graph != nullptr && alpha != nullptr && input.shape != Shape::features) {
    auto difference = std::make_shared<const SparseMatrix>(
        minus_sparse_shift(*graph, *alpha, options.shift.strength));
    return {GraphProblem(std::move(difference), options.shift), "precomputed", "", "", {}};
  }
  Options unshifted = options;
  unshifted.shift = ShiftOptions{ShiftKind::none, 1, 0, {}};
  MadeProblem made = from_view(input, unshifted, team, control);
  DenseArray s = minus_shift(made.problem, options.shift, team);
  made.problem = DenseProblem::similarities(std::move(s), options.shift, team);
  return made;
}

}  // namespace

MadeProblem make_problem(const Input& input, const Options& options, ThreadTeam& team,
                         const Control& control) {
  const ShiftKind kind = options.shift.kind;
  if (kind == ShiftKind::by_default || kind == ShiftKind::automatic) {
    Options known = options;
    const bool is_log_odds = options.similarity.weights == Weights::log_odds;
    known.shift.kind = is_log_odds ? ShiftKind::none : ShiftKind::adaptive;
    return make_problem(input, known, team, control);
  }
  if (options.similarity.weights == Weights::log_odds &&
      (input.shape == Shape::features || std::holds_alternative<DenseArray>(input.values))) {
    refuse("not_applicable", "weights",
           "{weights}: found log-odds for {}, which is not a graph; allowed: an edge list or "
           "sparse matrix of probabilities",
           input.name);
  }
  if (!options.similarity.feature_weights.empty() &&
      (input.shape != Shape::features || !std::holds_alternative<DenseArray>(input.values))) {
    refuse("not_applicable", "feature_weights",
           "feature weights: found with {}; allowed: only with features in a dense table",
           input.name);
  }
  check_shift(options.shift);
  check_neighbors(options.similarity);
  MadeProblem made = made_with_shift(input, options, team, control);
  const double tolerance = std::visit([](const auto& p) { return p.tolerance(); }, made.problem);
  // n |S| at most 1e12 times it, so n^2 |S| must be far from the largest number there is.
  if (!(tolerance * static_cast<double>(input.objects()) < 1e290)) {
    refuse("too_large", "",
           "{}: found similarities or a shift too large to add up; allowed: sums over all pairs of "
           "up to about 1e300; scale the numbers down",
           input.name);
  }
  return made;
}

MadeProblem problem_of_neighbors(const NeighborTable& neighbors, const Options& options,
                                 ThreadTeam& team) {
  Options known = options;
  if (known.shift.kind == ShiftKind::by_default || known.shift.kind == ShiftKind::automatic) {
    known.shift.kind = ShiftKind::adaptive;
  }
  known.keep_neighbors = false;
  known.similarity.neighbors = 0;  // no warning of too many
  return from_neighbors(lists_of(neighbors), known, "", {}, team);
}

double pair_unit(const MadeProblem& made, ThreadTeam& team) {
  if (made.similarity != "linear") {
    return 1;
  }
  std::vector<ClusterId> alone(size(made.problem));
  std::iota(alone.begin(), alone.end(), ClusterId{0});
  return -cost(made.problem, alone, team) / static_cast<double>(alone.size());
}

}  // namespace shiftcut

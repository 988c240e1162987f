#include "problem/make_problem.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "core/memory.hpp"
#include "core/message.hpp"
#include "problem/linkage_shift.hpp"
#include "shiftcut/words.hpp"
#include "similarity/distance_matrix.hpp"

namespace shiftcut {

namespace {

void check_matrix_size(const ShiftOptions& shift, std::size_t n) {
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

// ---- A shift in a few terms ----

// Sees the view once; each kind of problem takes the shift in its own form.
struct WithTerms {
  const ShiftOptions& shift;
  const NodeWeights& weights;
  ThreadTeam& team;
  const Control& control;

  Problem operator()(const RowProducts& products) const {
    refuse_degree(products.kind);
    if (products.kind == Similarity::cosine) {
      return GramProblem::cosine(products.rows, shift, team, weights);
    }
    const double largest = GramProblem::needs_largest_distance(shift)
                               ? largest_squared_distance(products.rows, team, control)
                               : 0;
    return GramProblem::linear(products.rows, shift, largest, team, weights);
  }
  Problem operator()(const SparseRowProducts& products) const {
    refuse_degree(products.kind);
    return SparseGramProblem(*products.rows, products.kind, shift, team, weights);
  }
  Problem operator()(const FullMatrix& matrix) const {
    return matrix.are_distances ? DenseProblem::distances(matrix.values, shift, team, weights)
                                : DenseProblem::similarities(matrix.values, shift, team, weights);
  }
  Problem operator()(const GraphEdges& graph) const {
    return GraphProblem(graph.edges, shift, weights, team);
  }

  // The product of row sums has no form in the products of rows.
  void refuse_degree(Similarity kind) const {
    if (shift.kind == ShiftKind::degree) {
      refuse("not_applicable", "shift",
             "{shift}: found degree for {} similarities; allowed: degree for graphs, matrices and "
             "features under {similarity=neighbors} or rbf, else adaptive, none or constant=A",
             word_of(kind));
    }
  }
};

// ---- The shift for probabilities of matches ----

Problem with_linkage(const Similarities& similarities, const ShiftOptions& shift,
                     ThreadTeam& team) {
  if (!similarities.are_log_odds) {
    refuse("not_applicable", "shift",
           "{shift}: found linkage for {}; allowed: linkage for a graph of probabilities with "
           "{weights=log-odds}",
           similarities.name);
  }
  const LinkageShift linkage =
      similarities.linkage != nullptr
          ? *similarities.linkage
          : linkage_shift(*std::get<GraphEdges>(similarities.view).edges, shift.strength, team);
  const ShiftOptions rest{ShiftKind::constant, shift.strength, linkage.absent, {}};
  return GraphProblem(linkage.edges, rest, similarities.weights, team);
}

// ---- A shift given as a matrix ----

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

DenseArray minus_full_shift(const Problem& unshifted, const ShiftOptions& shift, ThreadTeam& team) {
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

// Sparse less sparse stays sparse where the graph was given; all else becomes a full matrix.
Problem with_matrix(const Similarities& similarities, const ShiftOptions& shift, ThreadTeam& team,
                    const Control& control) {
  const auto* graph = std::get_if<GraphEdges>(&similarities.view);
  const auto* alpha = std::get_if<SparseMatrix>(&shift.matrix);
  if (graph != nullptr && alpha != nullptr && similarities.are_given()) {
    auto difference = std::make_shared<const SparseMatrix>(
        minus_sparse_shift(*graph->edges, *alpha, shift.strength));
    return GraphProblem(std::move(difference), shift, {}, team);
  }
  const ShiftOptions none{ShiftKind::none, 1, 0, {}};
  const Problem unshifted =
      std::visit(WithTerms{none, similarities.weights, team, control}, similarities.view);
  return DenseProblem::similarities(minus_full_shift(unshifted, shift, team), shift, team);
}

// n |S| is at most 1e12 times the tolerance, and n^2 |S| must be far below the largest double.
void check_sums(const Problem& problem, const std::string& name) {
  const double tolerance = std::visit([](const auto& p) { return p.tolerance(); }, problem);
  if (!(tolerance * static_cast<double>(size(problem)) < 1e290)) {
    refuse("too_large", "",
           "{}: found similarities or a shift too large to add up; allowed: sums over all pairs of "
           "up to about 1e300; scale the numbers down",
           name);
  }
}

}  // namespace

ShiftOptions explicit_shift(ShiftOptions shift, const Similarities& similarities) {
  if (shift.kind == ShiftKind::by_default || shift.kind == ShiftKind::automatic) {
    shift.kind = similarities.are_log_odds ? ShiftKind::linkage : ShiftKind::adaptive;
  }
  return shift;
}

void check_shift(const ShiftOptions& shift, std::size_t n) {
  if (!std::isfinite(shift.strength) || shift.strength < 0) {
    refuse("out_of_range", "shift_strength",
           "{shift_strength}: found {}; allowed: a number of 0 or more", shift.strength);
  }
  if (!std::isfinite(shift.constant)) {
    refuse("out_of_range", "shift", "{shift=constant}={}: allowed: a finite number",
           shift.constant);
  }
  if (shift.kind == ShiftKind::matrix) {
    check_matrix_size(shift, n);
  }
}

Problem make_problem(const Similarities& similarities, const ShiftOptions& given, ThreadTeam& team,
                     const Control& control) {
  check_shift(given, similarities.objects);
  const ShiftOptions shift = explicit_shift(given, similarities);
  Problem problem =
      shift.kind == ShiftKind::linkage ? with_linkage(similarities, shift, team)
      : shift.kind == ShiftKind::matrix
          ? with_matrix(similarities, shift, team, control)
          : std::visit(WithTerms{shift, similarities.weights, team, control}, similarities.view);
  check_sums(problem, similarities.name);
  return problem;
}

double evidence_unit(const Similarities& similarities, const Problem& problem, ThreadTeam& team) {
  if (similarities.similarity != "linear") {
    return 1;
  }
  if (!similarities.weights.empty()) {
    double sum = 0;
    for (ObjectId i = 0; i < size(problem); ++i) {
      sum += shifted(problem, i, i) / similarities.weights.of(i);
    }
    return sum / similarities.weights.sum(size(problem));
  }
  std::vector<ClusterId> alone(size(problem));
  std::iota(alone.begin(), alone.end(), ClusterId{0});
  return -cost(problem, alone, team) / static_cast<double>(alone.size());
}

}  // namespace shiftcut

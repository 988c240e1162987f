// Random data of every shape, and problems made from them.
#pragma once

#include <string>
#include <vector>

#include "core/rng.hpp"
#include "problem/make_problem.hpp"

namespace shiftcut::testing_support {

inline double normal(Rng& rng) {  // Irwin-Hall, near enough to normal
  double sum = -6;
  for (int i = 0; i < 12; ++i) {
    sum += rng.uniform();
  }
  return sum;
}

/// Features around `groups` random centres.
inline std::vector<double> grouped_rows(std::size_t n, std::size_t d, std::size_t groups,
                                        Rng& rng) {
  std::vector<double> centres(groups * d);
  for (double& c : centres) {
    c = 3 * normal(rng);
  }
  std::vector<double> rows(n * d);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t g = rng.below(static_cast<std::uint32_t>(groups));
    for (std::size_t j = 0; j < d; ++j) {
      rows[i * d + j] = centres[g * d + j] + normal(rng);
    }
  }
  return rows;
}

inline Input features(std::vector<double> rows, std::size_t n, std::size_t d) {
  Input input;
  input.values = DenseArray::own(std::move(rows), n, d);
  return input;
}

inline Input features32(const std::vector<double>& rows, std::size_t n, std::size_t d) {
  Input input;
  input.values = DenseArray::own(std::vector<float>(rows.begin(), rows.end()), n, d);
  return input;
}

inline Input symmetric_matrix(std::size_t n, Rng& rng) {
  std::vector<double> x(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      x[i * n + j] = x[j * n + i] = normal(rng);
    }
  }
  Input input;
  input.values = DenseArray::own(std::move(x), n, n);
  input.shape = Shape::similarity;
  return input;
}

/// A random graph of about `degree` edges a node, some self loops; weights may be negative or
/// whole.
inline Input graph(std::size_t n, double degree, bool negative, bool whole, Rng& rng) {
  std::vector<Entry> entries;
  const auto edges = static_cast<std::size_t>(degree * static_cast<double>(n) / 2);
  for (std::size_t e = 0; e < edges; ++e) {
    const auto u = rng.below(static_cast<std::uint32_t>(n));
    const auto v = rng.below(static_cast<std::uint32_t>(n));
    double w = whole ? 1.0 + rng.below(3) : 0.1 + rng.uniform();
    w = negative && rng.below(3) == 0 ? -w : w;
    entries.push_back({u, v, w});
    if (u != v) {
      entries.push_back({v, u, w});
    }
  }
  Input input;
  input.values = sparse_from_entries(std::move(entries), n, n);
  input.shape = Shape::graph;
  return input;
}

inline Input sparse_features(std::size_t n, std::size_t d, Rng& rng) {
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t group = rng.below(3);
    for (std::uint32_t j = 0; j < d; ++j) {
      if (rng.below(4) == 0 || j % 3 == group) {
        entries.push_back({i, j, rng.uniform() + 0.1});
      }
    }
  }
  Input input;
  input.values = sparse_from_entries(std::move(entries), n, d);
  return input;
}

/// The shifts to try things under.
inline std::vector<ShiftOptions> some_shifts() {
  return {{ShiftKind::adaptive, 1, 0, {}},    {ShiftKind::adaptive, 0.5, 0, {}},
          {ShiftKind::adaptive, 2, 0, {}},    {ShiftKind::constant, 1, 0.4, {}},
          {ShiftKind::constant, 2, -0.3, {}}, {ShiftKind::none, 1, 0, {}}};
}

struct NamedInput {
  std::string name;
  Input input;
  SimilarityOptions similarity;
};

/// `shifts`, and where there is a degree shift (similarities that are stored, with a sum above 0),
/// three of these.
inline std::vector<ShiftOptions> with_degree(std::vector<ShiftOptions> shifts,
                                             const NamedInput& data) {
  const bool is_given = data.input.shape != Shape::features;
  const bool is_stored = is_given || data.similarity.kind == Similarity::neighbors ||
                         data.similarity.kind == Similarity::rbf ||
                         (data.similarity.kind == Similarity::linear &&
                          data.similarity.distance == Distance::euclidean);
  double total = is_stored && data.input.objects() > 2 ? 1 : 0;
  if (data.input.shape == Shape::similarity || data.input.shape == Shape::graph) {
    total = 0;
    if (const auto* graph = std::get_if<SparseMatrix>(&data.input.values)) {
      for (const double value : graph->values) {
        total += value;
      }
    } else {
      const auto& matrix = std::get<DenseArray>(data.input.values);
      for (std::size_t i = 0; i < matrix.rows() * matrix.columns(); ++i) {
        total += matrix.at(0, i);
      }
    }
  }
  for (const double strength : {1.0, 0.5, 2.0}) {
    if (total > 0.5) {
      shifts.push_back({ShiftKind::degree, strength, 0, {}});
    }
  }
  return shifts;
}

/// One random data set of every view and similarity.
inline std::vector<NamedInput> one_of_each(std::size_t n, std::size_t d, Rng& rng) {
  const std::vector<double> rows = grouped_rows(n, d, 3, rng);
  SimilarityOptions linear;
  linear.kind = Similarity::linear;
  SimilarityOptions plain = linear;
  plain.distance = Distance::euclidean;
  SimilarityOptions cosine;
  cosine.kind = Similarity::cosine;
  SimilarityOptions rbf;
  rbf.kind = Similarity::rbf;
  return {{"linear", features(rows, n, d), linear},
          {"linear float32", features32(rows, n, d), linear},
          {"plain distances", features(rows, n, d), plain},
          {"cosine", features(rows, n, d), cosine},
          {"rbf", features(rows, n, d), rbf},
          {"sparse cosine", sparse_features(n, d + 3, rng), cosine},
          {"sparse linear", sparse_features(n, d + 3, rng), linear},
          {"neighbors", features(rows, n, d), {}},
          {"matrix", symmetric_matrix(n, rng), {}},
          {"graph", graph(n, 4, false, false, rng), {}},
          {"graph of whole weights", graph(n, 4, false, true, rng), {}},
          {"graph with negative weights", graph(n, 4, true, false, rng), {}}};
}

struct MadeProblem {
  Similarities similarities;
  Problem problem;
};

inline MadeProblem problem_of(const Input& input, const SimilarityOptions& similarity,
                              const ShiftOptions& shift, ThreadTeam& team) {
  Similarities similarities = make_similarities(input, similarity, team, Control{});
  Problem problem = make_problem(similarities, shift, team, Control{});
  return {std::move(similarities), std::move(problem)};
}

inline MadeProblem problem_of(const NamedInput& data, const ShiftOptions& shift, ThreadTeam& team) {
  return problem_of(data.input, data.similarity, shift, team);
}

inline std::vector<ClusterId> random_labels(std::size_t n, std::size_t clusters, Rng& rng) {
  std::vector<ClusterId> labels(n);
  for (ClusterId& label : labels) {
    label = rng.below(static_cast<std::uint32_t>(clusters));
  }
  return labels;
}

}  // namespace shiftcut::testing_support

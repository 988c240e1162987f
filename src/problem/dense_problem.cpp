#include "problem/dense_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/memory.hpp"

namespace shiftcut {

namespace {

// Calls visit(row pointer) with the type the numbers have.
template <class Visit>
void with_row(const DenseArray& matrix, std::size_t i, const Visit& visit) {
  if (matrix.is_float32()) {
    visit(matrix.f32() + i * matrix.columns());
  } else {
    visit(matrix.f64() + i * matrix.columns());
  }
}

}  // namespace

DenseProblem DenseProblem::similarities(DenseArray matrix, const ShiftOptions& shift,
                                        ThreadTeam& team, const NodeWeights& node_weights) {
  return DenseProblem(std::move(matrix), 1, shift, node_weights, team).weighted(node_weights, team);
}

DenseProblem DenseProblem::distances(DenseArray matrix, const ShiftOptions& shift, ThreadTeam& team,
                                     const NodeWeights& node_weights) {
  return DenseProblem(std::move(matrix), -1, shift, node_weights, team)
      .weighted(node_weights, team);
}

DenseProblem::DenseProblem(DenseArray matrix, double sign, const ShiftOptions& shift,
                           const NodeWeights& node_weights, ThreadTeam& team)
    : matrix_(std::move(matrix)), sign_(sign), degree_(matrix_.rows()) {
  const std::size_t n = size();
  std::vector<double> smallest(n);
  std::vector<double> largest(n);
  team.for_each(n, [&](std::size_t i, int) {
    with_row(matrix_, i, [&](const auto* row) {
      double sum = 0;
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      for (std::size_t j = 0; j < n; ++j) {
        const auto value = static_cast<double>(row[j]);
        sum += node_weights.of(static_cast<ObjectId>(j)) * value;
        low = std::min(low, value);
        high = std::max(high, value);
      }
      degree_[i] = sum;
      smallest[i] = low;
      largest[i] = high;
    });
  });
  const double low = *std::min_element(smallest.begin(), smallest.end());
  const double high = *std::max_element(largest.begin(), largest.end());
  offset_ = sign_ < 0 ? low + high : 0;

  double all = 0;
  double largest_degree = 0;
  const double count = node_weights.sum(n);
  for (ObjectId i = 0; i < n; ++i) {
    degree_[i] = sign_ * degree_[i] + offset_ * count;
    all += node_weights.of(i) * degree_[i];
    largest_degree = std::max(largest_degree, std::abs(degree_[i]));
  }
  terms_ = shift_terms(shift, count, all);
  const double largest_x =
      std::max(std::abs(sign_ * low + offset_), std::abs(sign_ * high + offset_));
  tolerance_ = 1e-12 * static_cast<double>(n) *
               (largest_x + std::abs(terms_.flat) + 2 * terms_.per_degree * largest_degree +
                terms_.per_product * largest_degree * largest_degree);
}

// S itself as a matrix, each entry times the weights of its two objects.
DenseProblem DenseProblem::weighted(const NodeWeights& node_weights, ThreadTeam& team) const {
  if (node_weights.empty()) {
    return *this;
  }
  const std::size_t n = size();
  require_square_fits(n, "weights of rows", "use {similarity=neighbors}");
  std::vector<double> s = zeros(n * n, team);
  team.for_each(n, [&](std::size_t i, int) {
    const auto object = static_cast<ObjectId>(i);
    for (ObjectId j = 0; j < n; ++j) {
      s[i * n + j] = node_weights.of(object) * node_weights.of(j) * shifted(object, j);
    }
  });
  DenseProblem problem(DenseArray::own(std::move(s), n, n), 1,
                       ShiftOptions{ShiftKind::none, 1, 0, {}}, {}, team);
  return problem;
}

DenseProblem DenseProblem::linked(const Constraints& constraints, ThreadTeam& team) const {
  const std::size_t nodes = constraints.nodes;
  require_square_fits(nodes, "pairs that are linked", "use {similarity=neighbors}");
  std::vector<std::vector<ObjectId>> members(nodes);
  for (ObjectId i = 0; i < size(); ++i) {
    members[constraints.node_of[i]].push_back(i);
  }
  std::vector<double> s = zeros(nodes * nodes, team);
  std::vector<double> largest_of(nodes, 0.0);
  team.for_each(nodes, [&](std::size_t v, int) {
    double* row = &s[v * nodes];
    for (const ObjectId i : members[v]) {
      for (ObjectId j = 0; j < size(); ++j) {
        row[constraints.node_of[j]] += shifted(i, j);
      }
    }
    for (std::size_t w = 0; w < nodes; ++w) {
      largest_of[v] = std::max(largest_of[v], std::abs(row[w]));
    }
  });
  const auto add = [&](const SparseMatrix& terms) {
    for (std::size_t v = 0; v < nodes; ++v) {
      for (auto e = static_cast<std::size_t>(terms.offsets[v]);
           e < static_cast<std::size_t>(terms.offsets[v + 1]); ++e) {
        s[v * nodes + terms.columns[e]] += terms.values[e];
      }
    }
  };
  double largest = *std::max_element(largest_of.begin(), largest_of.end());
  for (const double value : constraints.evidence.values) {
    largest = std::max(largest, std::abs(value));
  }
  const double tolerance = 1e-12 * static_cast<double>(nodes) * 2 * largest;
  add(pair_matrix(constraints, too_much(tolerance)));
  DenseProblem problem = similarities(DenseArray::own(std::move(s), nodes, nodes),
                                      ShiftOptions{ShiftKind::none, 1, 0, {}}, team);
  problem.tolerance_ = tolerance;
  problem.conflicts_ = constraints.conflicts;
  return problem;
}

double DenseProblem::cost(std::span<const ClusterId> labels, ThreadTeam& team) const {
  const std::size_t n = size();
  std::vector<double> within(n);  // by rows, so that the sum does not depend on the threads
  team.for_each(n, [&](std::size_t i, int) {
    with_row(matrix_, i, [&](const auto* row) {
      double raw = 0;
      double count = 0;
      double degrees = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (labels[j] == labels[i]) {
          raw += static_cast<double>(row[j]);
          count += 1;
          degrees += degree_[j];
        }
      }
      within[i] = affinity(static_cast<ObjectId>(i), raw, count, degrees);
    });
  });
  double sum = 0;
  for (const double value : within) {
    sum += value;
  }
  return -sum;
}

double DenseProblem::total(ThreadTeam& team) const {
  const std::vector<ClusterId> together(size(), 0);
  return -cost(together, team);
}

}  // namespace shiftcut

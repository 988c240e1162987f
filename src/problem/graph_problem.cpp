#include "problem/graph_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shiftcut {

namespace {

constexpr std::size_t kPiece = 4096;  // objects

}  // namespace

GraphProblem::GraphProblem(const SparseMatrix& graph, const ShiftOptions& shift)
    : GraphProblem(std::shared_ptr<const SparseMatrix>(std::shared_ptr<void>(), &graph), shift) {}

GraphProblem::GraphProblem(std::shared_ptr<const SparseMatrix> graph, const ShiftOptions& shift,
                           NodeWeights node_weights)
    : graph_(std::move(graph)), degree_(graph_->rows), node_weights_(std::move(node_weights)) {
  for (ObjectId i = 0; i < size(); ++i) {
    for (const double weight : weights(i)) {
      degree_[i] += weight;
    }
  }
  terms_ = shift_terms(shift, node_weights_.sum(size()),
                       std::accumulate(degree_.begin(), degree_.end(), 0.0));
  look_at_weights();
}

void GraphProblem::look_at_weights() {
  double largest_degree = 0;
  double largest_weight = 0;
  for (ObjectId i = 0; i < size(); ++i) {
    const auto row = neighbors(i);
    has_loops_ = has_loops_ || std::binary_search(row.begin(), row.end(), i);
    for (const double weight : weights(i)) {
      has_negative_weight_ = has_negative_weight_ || weight < 0;
      largest_weight = std::max(largest_weight, std::abs(weight));
    }
    largest_degree = std::max(largest_degree, std::abs(degree_[i]));
    has_negative_degree_ = has_negative_degree_ || degree_[i] < 0;
  }
  const double heaviest = node_weights_.largest();
  tolerance_ =
      1e-12 * static_cast<double>(size()) *
      (largest_weight +
       heaviest * (heaviest * std::abs(terms_.flat) + 2 * terms_.per_degree * largest_degree) +
       terms_.per_product * largest_degree * largest_degree);
}

GraphProblem GraphProblem::linked(const Constraints& constraints) const {
  GraphProblem problem;
  std::vector<double> node_weights(constraints.nodes, 0.0);
  problem.degree_.assign(constraints.nodes, 0.0);
  for (ObjectId i = 0; i < size(); ++i) {
    node_weights[constraints.node_of[i]] += node_weight(i);
    problem.degree_[constraints.node_of[i]] += degree_[i];
  }
  problem.node_weights_ = NodeWeights(std::move(node_weights));
  problem.terms_ = terms_;
  SparseMatrix nodes = contracted(*graph_, constraints);
  problem.graph_ = std::make_shared<const SparseMatrix>(sum_of(nodes, constraints.evidence));
  problem.look_at_weights();
  if (constraints.conflicts != nullptr) {
    const double tolerance = problem.tolerance_;
    problem.graph_ = std::make_shared<const SparseMatrix>(
        sum_of(nodes, pair_matrix(constraints, too_much(tolerance))));
    problem.look_at_weights();
    problem.tolerance_ = tolerance;
    problem.conflicts_ = constraints.conflicts;
  }
  return problem;
}

GraphProblem GraphProblem::with_strength(double strength) const {
  return {graph_, ShiftOptions{ShiftKind::adaptive, strength, 0, {}}, node_weights_};
}

double GraphProblem::shifted(ObjectId i, ObjectId j) const {
  const auto row = neighbors(i);
  const auto it = std::lower_bound(row.begin(), row.end(), j);
  const bool edge = it != row.end() && *it == j;
  const double weight = edge ? weights(i)[static_cast<std::size_t>(it - row.begin())] : 0.0;
  return affinity(i, weight, node_weight(j), degree_[j]);
}

// In pieces of fixed size, so that the sum is the same on any number of threads.
double GraphProblem::cost(std::span<const ClusterId> labels, ThreadTeam& team) const {
  const std::size_t pieces = (size() + kPiece - 1) / kPiece;
  std::vector<double> within_piece(pieces, 0.0);
  team.for_each(pieces, [&](std::size_t piece, int) {
    double within = 0;
    const std::size_t last = std::min(size(), (piece + 1) * kPiece);
    for (std::size_t v = piece * kPiece; v < last; ++v) {
      const auto i = static_cast<ObjectId>(v);
      const auto columns = neighbors(i);
      const auto values = weights(i);
      for (std::size_t e = 0; e < columns.size(); ++e) {
        within += labels[columns[e]] == labels[i] ? values[e] : 0.0;
      }
    }
    within_piece[piece] = within;
  });
  double within = std::accumulate(within_piece.begin(), within_piece.end(), 0.0);

  const std::size_t slots = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  std::vector<double> count(slots);
  std::vector<double> degrees(slots);
  for (ObjectId i = 0; i < size(); ++i) {
    count[labels[i]] += node_weight(i);
    degrees[labels[i]] += degree_[i];
  }
  for (std::size_t k = 0; k < slots; ++k) {
    within -= terms_.flat * count[k] * count[k] + 2 * terms_.per_degree * count[k] * degrees[k] +
              terms_.per_product * degrees[k] * degrees[k];
  }
  return -within;
}

double GraphProblem::total(ThreadTeam& team) const {
  const std::vector<ClusterId> together(size(), 0);
  return -cost(together, team);
}

}  // namespace shiftcut

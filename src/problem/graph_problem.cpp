#include "problem/graph_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace shiftcut {

namespace {

constexpr std::size_t kPiece = 4096;  // objects

std::size_t pieces_of(std::size_t objects) { return (objects + kPiece - 1) / kPiece; }

// Calls task(begin, end) for pieces of fixed size, so that sums are the same on any number of
// threads.
template <class Task>
void for_each_piece(ThreadTeam& team, std::size_t objects, const Task& task) {
  team.for_each(pieces_of(objects), [&](std::size_t piece, int) {
    task(piece * kPiece, std::min(objects, (piece + 1) * kPiece));
  });
}

}  // namespace

GraphProblem::GraphProblem(const SparseMatrix& graph, const ShiftOptions& shift)
    : GraphProblem(std::shared_ptr<const SparseMatrix>(std::shared_ptr<void>(), &graph), shift) {}

GraphProblem::GraphProblem(std::shared_ptr<const SparseMatrix> graph, const ShiftOptions& shift,
                           NodeWeights node_weights)
    : GraphProblem(alone(std::move(graph), shift, std::move(node_weights))) {}

GraphProblem::GraphProblem(std::shared_ptr<const SparseMatrix> graph, const ShiftOptions& shift,
                           NodeWeights node_weights, ThreadTeam& team)
    : graph_(std::move(graph)), degree_(graph_->rows), node_weights_(std::move(node_weights)) {
  for_each_piece(team, size(), [&](std::size_t begin, std::size_t end) {
    for (auto i = static_cast<ObjectId>(begin); i < end; ++i) {
      const auto row = weights(i);
      degree_[i] = std::accumulate(row.begin(), row.end(), 0.0);
    }
  });
  terms_ = shift_terms(shift, node_weights_.sum(size()),
                       std::accumulate(degree_.begin(), degree_.end(), 0.0));
  look_at_weights(team);
}

GraphProblem GraphProblem::alone(std::shared_ptr<const SparseMatrix> graph,
                                 const ShiftOptions& shift, NodeWeights node_weights) {
  ThreadTeam team(1);
  return {std::move(graph), shift, std::move(node_weights), team};
}

void GraphProblem::look_at_weights(ThreadTeam& team) {
  struct Seen {
    double least_weight = std::numeric_limits<double>::infinity();
    double most_weight = -std::numeric_limits<double>::infinity();
    double largest_degree = 0;
    bool has_negative_degree = false;
    bool has_loops = false;

    void add(const Seen& other) {
      least_weight = std::min(least_weight, other.least_weight);
      most_weight = std::max(most_weight, other.most_weight);
      largest_degree = std::max(largest_degree, other.largest_degree);
      has_negative_degree |= other.has_negative_degree;
      has_loops |= other.has_loops;
    }
  };
  std::vector<Seen> of_piece(pieces_of(size()));
  for_each_piece(team, size(), [&](std::size_t begin, std::size_t end) {
    Seen seen;
    for (auto i = static_cast<ObjectId>(begin); i < end; ++i) {
      const auto row = neighbors(i);
      seen.has_loops |= std::binary_search(row.begin(), row.end(), i);
      for (const double weight : weights(i)) {
        seen.least_weight = std::min(seen.least_weight, weight);
        seen.most_weight = std::max(seen.most_weight, weight);
      }
      seen.largest_degree = std::max(seen.largest_degree, std::abs(degree_[i]));
      seen.has_negative_degree |= degree_[i] < 0;
    }
    of_piece[begin / kPiece] = seen;
  });
  Seen all;
  for (const Seen& seen : of_piece) {
    all.add(seen);
  }
  has_loops_ = has_loops_ || all.has_loops;
  has_negative_weight_ = has_negative_weight_ || all.least_weight < 0;
  has_negative_degree_ = has_negative_degree_ || all.has_negative_degree;
  const bool has_weights = all.least_weight <= all.most_weight;
  same_weight_ = has_weights && all.least_weight == all.most_weight ? all.least_weight : 0;
  const double largest_weight =
      has_weights ? std::max(std::abs(all.least_weight), std::abs(all.most_weight)) : 0.0;
  const double heaviest = node_weights_.largest();
  tolerance_ =
      1e-12 * static_cast<double>(size()) *
      (largest_weight +
       heaviest * (heaviest * std::abs(terms_.flat) + 2 * terms_.per_degree * all.largest_degree) +
       terms_.per_product * all.largest_degree * all.largest_degree);
}

GraphProblem GraphProblem::linked(const Constraints& constraints) const {
  ThreadTeam team(1);
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
  problem.look_at_weights(team);
  if (constraints.conflicts != nullptr) {
    const double tolerance = problem.tolerance_;
    problem.graph_ = std::make_shared<const SparseMatrix>(
        sum_of(nodes, pair_matrix(constraints, too_much(tolerance))));
    problem.look_at_weights(team);
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

double GraphProblem::cost(std::span<const ClusterId> labels, ThreadTeam& team) const {
  std::vector<double> within_piece(pieces_of(size()), 0.0);
  for_each_piece(team, size(), [&](std::size_t begin, std::size_t end) {
    double within = 0;
    for (auto i = static_cast<ObjectId>(begin); i < end; ++i) {
      const auto columns = neighbors(i);
      const auto values = weights(i);
      for (std::size_t e = 0; e < columns.size(); ++e) {
        within += labels[columns[e]] == labels[i] ? values[e] : 0.0;
      }
    }
    within_piece[begin / kPiece] = within;
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

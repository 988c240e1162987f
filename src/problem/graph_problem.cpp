#include "problem/graph_problem.hpp"

#include <algorithm>
#include <cmath>

namespace shiftcut {

GraphProblem::GraphProblem(const SparseMatrix& graph, const ShiftOptions& shift)
    : GraphProblem(std::shared_ptr<const SparseMatrix>(std::shared_ptr<void>(), &graph), shift) {}

GraphProblem::GraphProblem(std::shared_ptr<const SparseMatrix> graph, const ShiftOptions& shift)
    : graph_(std::move(graph)), degree_(graph_->rows) {
  double all = 0;
  double largest_degree = 0;
  double largest_weight = 0;
  for (ObjectId i = 0; i < size(); ++i) {
    for (const double weight : weights(i)) {
      degree_[i] += weight;
      has_negative_weight_ = has_negative_weight_ || weight < 0;
      largest_weight = std::max(largest_weight, std::abs(weight));
    }
    all += degree_[i];
    largest_degree = std::max(largest_degree, std::abs(degree_[i]));
    has_negative_degree_ = has_negative_degree_ || degree_[i] < 0;
  }
  terms_ = shift_terms(shift, size(), all);
  tolerance_ = 1e-12 * static_cast<double>(size()) *
               (largest_weight + std::abs(terms_.flat) + 2 * terms_.per_degree * largest_degree);
}

GraphProblem GraphProblem::with_strength(double strength) const {
  return {graph_, ShiftOptions{ShiftKind::adaptive, strength, 0, {}}};
}

double GraphProblem::shifted(ObjectId i, ObjectId j) const {
  const auto row = neighbors(i);
  const auto it = std::lower_bound(row.begin(), row.end(), j);
  const bool edge = it != row.end() && *it == j;
  const double weight = edge ? weights(i)[static_cast<std::size_t>(it - row.begin())] : 0.0;
  return affinity(i, weight, 1, degree_[j]);
}

double GraphProblem::cost(std::span<const ClusterId> labels, ThreadTeam& /*team*/) const {
  const std::size_t slots = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  std::vector<double> count(slots);
  std::vector<double> degrees(slots);
  double within = 0;
  for (ObjectId i = 0; i < size(); ++i) {
    count[labels[i]] += 1;
    degrees[labels[i]] += degree_[i];
    const auto columns = neighbors(i);
    const auto values = weights(i);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      within += labels[columns[e]] == labels[i] ? values[e] : 0.0;
    }
  }
  for (std::size_t k = 0; k < slots; ++k) {
    within -= terms_.flat * count[k] * count[k] + 2 * terms_.per_degree * count[k] * degrees[k];
  }
  return -within;
}

double GraphProblem::total(ThreadTeam& team) const {
  const std::vector<ClusterId> together(size(), 0);
  return -cost(together, team);
}

}  // namespace shiftcut

#include "problem/problem.hpp"

#include <cmath>

namespace shiftcut {

std::size_t size(const Problem& problem) {
  return std::visit([](const auto& p) { return p.size(); }, problem);
}

Problem linked(const Problem& problem, const Constraints& constraints, ThreadTeam& team) {
  if (const auto* gram = std::get_if<GramProblem>(&problem)) {
    return gram->linked(constraints, team);
  }
  if (const auto* sparse = std::get_if<SparseGramProblem>(&problem)) {
    return sparse->linked(constraints);
  }
  if (const auto* dense = std::get_if<DenseProblem>(&problem)) {
    return dense->linked(constraints, team);
  }
  return std::get<GraphProblem>(problem).linked(constraints);
}

const Conflicts* conflicts(const Problem& problem) {
  return std::visit([](const auto& p) { return p.conflicts(); }, problem);
}

double shifted(const Problem& problem, ObjectId i, ObjectId j) {
  return std::visit([&](const auto& p) { return p.shifted(i, j); }, problem);
}

double cost(const Problem& problem, std::span<const ClusterId> labels, ThreadTeam& team) {
  return std::visit([&](const auto& p) { return p.cost(labels, team); }, problem);
}

double cost_change(const Problem& problem, std::span<const ClusterId> labels, ObjectId object,
                   ClusterId to) {
  if (labels[object] == to) {
    return 0;
  }
  double own = 0;
  double other = 0;
  for (ObjectId i = 0; i < labels.size(); ++i) {
    if (i != object && labels[i] == labels[object]) {
      own += shifted(problem, object, i);
    } else if (labels[i] == to) {
      other += shifted(problem, object, i);
    }
  }
  return 2 * (own - other);
}

double min_cut_cost(const Problem& problem, std::span<const ClusterId> labels, ThreadTeam& team) {
  const double all = std::visit([&](const auto& p) { return p.total(team); }, problem);
  return cost(problem, labels, team) + all;
}

double correlation_cost(const Problem& problem, std::span<const ClusterId> labels,
                        ThreadTeam& team) {
  const std::size_t n = size(problem);
  std::vector<double> negative(n);
  team.for_each(n, [&](std::size_t i, int) {
    for (ObjectId j = 0; j < n; ++j) {
      const double s = shifted(problem, static_cast<ObjectId>(i), j);
      negative[i] += s < 0 ? -s : 0;
    }
  });
  double sum = 0;
  for (const double value : negative) {
    sum += value;
  }
  return min_cut_cost(problem, labels, team) + sum;
}

}  // namespace shiftcut

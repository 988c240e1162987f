#include "sizes/swaps.hpp"

namespace shiftcut {

namespace {

// -2 * (a pair's least term), for each object.
void add_pairs(const PairTerms& pairs, std::vector<double>& slacks) {
  for (ObjectId i = 0; i < slacks.size(); ++i) {
    double least = 0;
    pairs.for_each(i, [&](ObjectId, double value) { least = std::min(least, value); });
    slacks[i] -= least;
  }
}

}  // namespace

// 2 x_i.z_j <= |x_i|^2 + |z_j|^2, and S is symmetric.
std::vector<double> swap_slacks(const GramProblem& problem) {
  std::vector<double> slacks(problem.size());
  for (ObjectId i = 0; i < problem.size(); ++i) {
    const double norm = std::max(static_cast<double>(problem.norm(i)), problem.z_norm(i));
    slacks[i] = norm * norm * (1 + 1e-9);
  }
  add_pairs(problem.pairs(), slacks);
  return slacks;
}

// S_ij is multilinear in the product of the rows, the other's weight and its p: least at a corner.
std::vector<double> swap_slacks(const SparseGramProblem& problem) {
  double longest = 0;
  double least_p = std::numeric_limits<double>::infinity();
  double most_p = -least_p;
  double least_weight = least_p;
  double most_weight = 0;
  const auto length = [&](ObjectId i) {
    double squared = 0;
    for (const double entry : problem.entries(i)) {
      squared += entry * entry;
    }
    return std::sqrt(squared);
  };
  for (ObjectId i = 0; i < problem.size(); ++i) {
    longest = std::max(longest, length(i));
    least_p = std::min(least_p, problem.p(i));
    most_p = std::max(most_p, problem.p(i));
    least_weight = std::min(least_weight, problem.node_weight(i));
    most_weight = std::max(most_weight, problem.node_weight(i));
  }
  std::vector<double> slacks(problem.size());
  for (ObjectId i = 0; i < problem.size(); ++i) {
    double least = 0;
    for (const double weight : {least_weight, most_weight}) {
      for (const double p : {least_p, most_p}) {
        least = std::min(least, problem.affinity(i, -length(i) * longest, weight, p));
      }
    }
    slacks[i] = -least * (1 + 1e-9);
  }
  add_pairs(problem.pairs(), slacks);
  return slacks;
}

std::vector<double> swap_slacks(const DenseProblem& problem) {
  std::vector<double> slacks(problem.size(), 0.0);
  for (ObjectId i = 0; i < problem.size(); ++i) {
    double least = 0;
    for (ObjectId j = 0; j < problem.size(); ++j) {
      least = j == i ? least : std::min(least, problem.shifted(i, j));
    }
    slacks[i] = -least;
  }
  return slacks;
}

std::vector<double> swap_slacks(const GraphProblem& problem) {
  double least_degree = std::numeric_limits<double>::infinity();
  double most_degree = -least_degree;
  double least_weight = least_degree;
  double most_weight = 0;
  for (ObjectId i = 0; i < problem.size(); ++i) {
    least_degree = std::min(least_degree, problem.degree(i));
    most_degree = std::max(most_degree, problem.degree(i));
    least_weight = std::min(least_weight, problem.node_weight(i));
    most_weight = std::max(most_weight, problem.node_weight(i));
  }
  std::vector<double> slacks(problem.size(), 0.0);
  for (ObjectId i = 0; i < problem.size(); ++i) {
    double edge = 0;
    for (const double weight : problem.weights(i)) {
      edge = std::min(edge, weight);
    }
    double least = 0;
    for (const double weight : {least_weight, most_weight}) {
      for (const double degree : {least_degree, most_degree}) {
        least = std::min(least, problem.affinity(i, edge, weight, degree));
      }
    }
    slacks[i] = -least * (1 + 1e-9);
  }
  return slacks;
}

}  // namespace shiftcut

#include "problem/sparse_gram_problem.hpp"

#include <algorithm>
#include <cmath>

namespace shiftcut {

SparseGramProblem::SparseGramProblem(const SparseMatrix& rows, Similarity kind,
                                     const ShiftOptions& shift, ThreadTeam& team,
                                     NodeWeights node_weights)
    : offsets_(rows.offsets),
      columns_(rows.columns),
      entries_(rows.values),
      dimensions_(rows.columns_count),
      m_(kind == Similarity::cosine ? 1 : 2),
      p_(rows.rows, 0.0),
      squared_(rows.rows, 0.0),
      node_weights_(std::move(node_weights)) {
  if (kind == Similarity::cosine) {
    make_unit_rows();
  }
  const double n = node_weights_.sum(size());
  std::vector<double> mean(dimensions_, 0.0);
  for (ObjectId i = 0; i < size(); ++i) {
    team.poll_each(i);
    for (std::size_t e = begin(i); e < end(i); ++e) {
      mean[columns_[e]] += node_weight(i) * entries_[e] / n;
      squared_[i] += entries_[e] * entries_[e];
    }
  }
  double g = 0;
  for (const double value : mean) {
    g += value * value;
  }

  const bool adaptive = shift.kind == ShiftKind::adaptive;
  const double strength = adaptive ? shift.strength : 0;
  const double alpha = shift.kind == ShiftKind::constant ? shift.strength * shift.constant : 0;
  const double rest = kind == Similarity::cosine ? 0 : 1 - strength;
  const double largest = rest != 0 ? largest_squared_distance(team) : 0;
  e0_ = rest * largest + m_ * strength * g - alpha;
  double largest_p = 0;
  double largest_squared = 0;
  for (ObjectId i = 0; i < size(); ++i) {
    team.poll_each(i);
    double h = 0;
    for (std::size_t e = begin(i); e < end(i); ++e) {
      h += entries_[e] * mean[columns_[e]];
    }
    p_[i] = -rest * squared_[i] - m_ * strength * h;
    largest_p = std::max(largest_p, std::abs(p_[i]));
    largest_squared = std::max(largest_squared, squared_[i]);
  }
  tolerance_ =
      1e-12 * static_cast<double>(size()) * (m_ * largest_squared + 2 * largest_p + std::abs(e0_));
  multiply_by_weights();
}

// An object of weight w stands for the sum of w rows.
void SparseGramProblem::multiply_by_weights() {
  if (node_weights_.empty()) {
    return;
  }
  for (ObjectId i = 0; i < size(); ++i) {
    const double weight = node_weight(i);
    for (std::size_t e = begin(i); e < end(i); ++e) {
      entries_[e] *= weight;
    }
    squared_[i] *= weight * weight;
    p_[i] *= weight;
  }
  tolerance_ *= node_weights_.largest() * node_weights_.largest();
}

SparseGramProblem SparseGramProblem::linked(const Constraints& constraints) const {
  std::vector<Entry> entries;
  entries.reserve(entries_.size());
  std::vector<double> node_weights(constraints.nodes, 0.0);
  SparseGramProblem problem;
  problem.p_.assign(constraints.nodes, 0.0);
  for (ObjectId i = 0; i < size(); ++i) {
    const ObjectId node = constraints.node_of[i];
    for (std::size_t e = begin(i); e < end(i); ++e) {
      entries.push_back({node, columns_[e], entries_[e]});
    }
    problem.p_[node] += p_[i];
    node_weights[node] += node_weight(i);
  }
  SparseMatrix rows = sparse_from_entries(std::move(entries), constraints.nodes, dimensions_);
  problem.offsets_ = std::move(rows.offsets);
  problem.columns_ = std::move(rows.columns);
  problem.entries_ = std::move(rows.values);
  problem.dimensions_ = dimensions_;
  problem.m_ = m_;
  problem.e0_ = e0_;
  problem.node_weights_ = NodeWeights(std::move(node_weights));
  problem.zero_rows_ = zero_rows_;
  problem.squared_.assign(constraints.nodes, 0.0);
  for (ObjectId v = 0; v < constraints.nodes; ++v) {
    for (const double entry : problem.entries(v)) {
      problem.squared_[v] += entry * entry;
    }
  }
  const double heaviest = problem.node_weights_.largest();
  problem.tolerance_ = tolerance_ * heaviest * heaviest;
  problem.pairs_ = PairTerms(pair_matrix(constraints, too_much(problem.tolerance_)));
  problem.conflicts_ = constraints.conflicts;
  return problem;
}

void SparseGramProblem::make_unit_rows() {
  for (ObjectId i = 0; i < size(); ++i) {
    double squared = 0;
    for (std::size_t e = begin(i); e < end(i); ++e) {
      squared += entries_[e] * entries_[e];
    }
    zero_rows_ += squared == 0 ? 1 : 0;
    const double inverse = squared > 0 ? 1 / std::sqrt(squared) : 0;
    for (std::size_t e = begin(i); e < end(i); ++e) {
      entries_[e] *= inverse;
    }
  }
}

double SparseGramProblem::row_product(ObjectId i, ObjectId j) const {
  double sum = 0;
  std::size_t a = begin(i);
  std::size_t b = begin(j);
  while (a < end(i) && b < end(j)) {
    if (columns_[a] == columns_[b]) {
      sum += entries_[a++] * entries_[b++];
    } else if (columns_[a] < columns_[b]) {
      ++a;
    } else {
      ++b;
    }
  }
  return sum;
}

// Every row against all others, through a dense copy of the one.
double SparseGramProblem::largest_squared_distance(ThreadTeam& team) const {
  std::vector<double> largest(size(), 0.0);
  team.for_each(size(), [&](std::size_t i, int) {
    std::vector<double> row(dimensions_, 0.0);
    for (std::size_t e = begin(static_cast<ObjectId>(i)); e < end(static_cast<ObjectId>(i)); ++e) {
      row[columns_[e]] = entries_[e];
    }
    for (ObjectId j = 0; j < i; ++j) {
      team.poll_each(j);
      double product = 0;
      for (std::size_t e = begin(j); e < end(j); ++e) {
        product += entries_[e] * row[columns_[e]];
      }
      largest[i] = std::max(largest[i], squared_[i] + squared_[j] - 2 * product);
    }
  });
  return *std::max_element(largest.begin(), largest.end());
}

double SparseGramProblem::shifted(ObjectId i, ObjectId j) const {
  return affinity(i, row_product(i, j), node_weight(j), p_[j]) + pairs_.between(i, j);
}

double SparseGramProblem::cost(std::span<const ClusterId> labels, ThreadTeam& /*team*/) const {
  const std::size_t slots = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  std::vector<std::vector<ObjectId>> members(slots);
  for (ObjectId i = 0; i < size(); ++i) {
    members[labels[i]].push_back(i);
  }
  // One cluster at a time: a dense sum, cleared entry by entry.
  std::vector<double> sum(dimensions_, 0.0);
  double within = 0;
  for (const auto& cluster : members) {
    double count = 0;
    double p_sum = 0;
    for (const ObjectId i : cluster) {
      count += node_weight(i);
      p_sum += p_[i];
      for (std::size_t e = begin(i); e < end(i); ++e) {
        sum[columns_[e]] += entries_[e];
      }
    }
    double squared = 0;
    for (const ObjectId i : cluster) {
      for (std::size_t e = begin(i); e < end(i); ++e) {
        squared += sum[columns_[e]] * sum[columns_[e]];
        sum[columns_[e]] = 0;
      }
    }
    within += m_ * squared + 2 * count * p_sum + e0_ * count * count;
  }
  return -(within + pairs_.within(labels));
}

double SparseGramProblem::total(ThreadTeam& team) const {
  const std::vector<ClusterId> together(size(), 0);
  return -cost(together, team);
}

}  // namespace shiftcut

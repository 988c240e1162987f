#include "problem/gram_problem.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/kernels.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kRowsPerTask = 2048;

}  // namespace

bool GramProblem::needs_largest_distance(const ShiftOptions& shift) {
  return shift.kind != ShiftKind::adaptive || shift.strength != 1;
}

GramProblem GramProblem::linear(const FeatureRows& rows, const ShiftOptions& shift,
                                double largest_squared, ThreadTeam& team,
                                NodeWeights node_weights) {
  double e0 = 0;
  double e1 = 0;
  if (shift.kind == ShiftKind::adaptive) {
    const double rest = 1 - shift.strength;
    e1 = -rest / 2;
    e0 = rest * largest_squared / 2;
  } else {
    const double alpha = shift.kind == ShiftKind::constant ? shift.strength * shift.constant : 0;
    e1 = -0.5;
    e0 = (largest_squared - alpha) / 2;
  }
  GramProblem problem(rows.weighted(node_weights.values()), 2, e0, e1);
  problem.node_weights_ = std::move(node_weights);
  problem.prepare(team, [&](std::size_t i, const std::vector<double>& y) {
    return dot(y.data(), y.data(), y.size()) / problem.node_weight(static_cast<ObjectId>(i));
  });
  return problem;
}

GramProblem GramProblem::cosine(const FeatureRows& rows, const ShiftOptions& shift,
                                ThreadTeam& team, NodeWeights node_weights) {
  const std::vector<double>& mean = rows.centre();
  const double g = dot(mean.data(), mean.data(), mean.size());
  double e0 = 0;
  double e1 = 0;
  if (shift.kind == ShiftKind::adaptive) {
    e1 = 1 - shift.strength;
    e0 = e1 * g;
  } else {
    e1 = 1;
    e0 = g - (shift.kind == ShiftKind::constant ? shift.strength * shift.constant : 0);
  }
  GramProblem problem(rows.weighted(node_weights.values()), 1, e0, e1);
  problem.node_weights_ = std::move(node_weights);
  problem.prepare(team, [&](std::size_t, const std::vector<double>& y) {
    return dot(y.data(), mean.data(), y.size());
  });
  return problem;
}

GramProblem GramProblem::linked(const Constraints& constraints, ThreadTeam& team) const {
  const std::size_t count = constraints.nodes;
  const std::size_t d = rows_.length();
  std::vector<double> sums(count * d, 0.0);
  std::vector<double> p(count, 0.0);
  std::vector<double> node_weights(count, 0.0);
  std::vector<double> y(d);
  for (ObjectId i = 0; i < size(); ++i) {
    rows_.row(i, y.data());
    const ObjectId node = constraints.node_of[i];
    add_scaled(&sums[node * d], 1.0, y.data(), d);
    p[node] += p_.empty() ? 0.0 : p_[i];
    node_weights[node] += node_weight(i);
  }
  GramProblem problem(FeatureRows::as_given(DenseArray::own(std::move(sums), count, d)), m_, e0_,
                      e1_);
  problem.node_weights_ = NodeWeights(std::move(node_weights));
  problem.prepare(team, [&](std::size_t i, const std::vector<double>&) { return p[i]; });
  SparseMatrix pairs = pair_matrix(constraints, m_ * too_much(problem.tolerance_));
  for (double& value : pairs.values) {
    value /= m_;
  }
  problem.pairs_ = PairTerms(std::move(pairs));
  problem.conflicts_ = constraints.conflicts;
  return problem;
}

// One pass over the rows: p, the float32 copies and their norms.
void GramProblem::prepare(ThreadTeam& team, const Offsets& p_of) {
  const std::size_t n = size();
  const std::size_t d = rows_.length();
  const bool extra = e0_ != 0 || e1_ != 0;
  length_ = extra ? d + 2 : d;
  typical_y_ = rows_.typical_norm();
  typical_p_ = typical_y_ * typical_y_;
  p_.resize(extra ? n : 0);
  norm_.resize(n);
  sketch_.allocate(n * length_);

  struct Largest {
    double norm = 0;
    double p = 0;
  };
  std::vector<Largest> largest((n + kRowsPerTask - 1) / kRowsPerTask);
  team.for_each(largest.size(), [&](std::size_t task, int) {
    std::vector<double> x(d);
    const std::size_t begin = task * kRowsPerTask;
    const std::size_t end = std::min(n, begin + kRowsPerTask);
    for (std::size_t i = begin; i < end; ++i) {
      x.resize(d);
      rows_.row(i, x.data());
      if (extra) {
        p_[i] = p_of(i, x);
        largest[task].p = std::max(largest[task].p, std::abs(p_[i]));
        x.resize(length_);
        x_row(static_cast<ObjectId>(i), RowTruth::exact, x.data());
      }
      narrow(sketch_.data() + i * length_, x.data(), 1 / sketch_scale(), length_);
      const double norm = std::sqrt(dot(x.data(), x.data(), length_));
      norm_[i] = static_cast<float>(norm * (1 + 1e-6));
      largest[task].norm = std::max(largest[task].norm, norm);
    }
  });
  double largest_p = 0;
  for (const Largest& part : largest) {
    largest_norm_ = std::max(largest_norm_, part.norm * (1 + 1e-6));
    largest_p = std::max(largest_p, part.p);
  }
  const double heaviest = node_weights_.largest();
  tolerance_ = 1e-12 * static_cast<double>(n) *
               (largest_norm_ * largest_norm_ +
                heaviest * (2 * std::abs(e1_) * largest_p + std::abs(e0_) * heaviest));
}

void GramProblem::x_row(ObjectId i, RowTruth truth, double* out) const {
  const std::size_t d = rows_.length();
  if (truth == RowTruth::exact) {
    rows_.row(i, out);
  } else {
    widen(out, sketch(i), sketch_scale(), d);
  }
  if (has_extra()) {
    out[d] = p_[i] * typical_y_ / typical_p_;
    out[d + 1] = typical_y_ * node_weight(i);
  }
}

void GramProblem::x_to_z(ObjectId i, double* x) const {
  if (has_extra()) {
    const std::size_t d = rows_.length();
    x[d] = e1_ * typical_p_ / typical_y_ * node_weight(i);
    x[d + 1] = (e0_ * node_weight(i) + e1_ * p_[i]) / typical_y_;
  }
}

double GramProblem::self(ObjectId i, const double* x) const {
  const double squared = dot(x, x, rows_.length());
  return has_extra() ? squared + node_weight(i) * (2 * e1_ * p_[i] + e0_ * node_weight(i))
                     : squared;
}

// With z's last entry (e0 + e1 p)/R summed to L: |sum y|^2 + |k| (2 R L - e0 |k|).
double GramProblem::within(const double* z_sum, double size) const {
  const std::size_t d = rows_.length();
  const double squared = dot(z_sum, z_sum, d);
  return has_extra() ? squared + size * (2 * typical_y_ * z_sum[d + 1] - e0_ * size) : squared;
}

double GramProblem::shifted(ObjectId i, ObjectId j) const {
  std::vector<double> x(length_);
  std::vector<double> z(length_);
  x_row(i, RowTruth::exact, x.data());
  x_row(j, RowTruth::exact, z.data());
  x_to_z(j, z.data());
  return m_ * (dot(x.data(), z.data(), length_) + pairs_.between(i, j));
}

double GramProblem::cost(std::span<const ClusterId> labels, ThreadTeam& team) const {
  const std::size_t d = rows_.length();
  const std::size_t slots = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  // A cluster's sums: of y, of 1, of p.
  const std::size_t stride = d + 2;
  const std::vector<double> sums = sum_over_row_chunks(
      size(), d, slots * stride, team, [&](std::size_t begin, std::size_t end, double* out) {
        std::vector<double> y(d);
        for (std::size_t i = begin; i < end; ++i) {
          rows_.row(i, y.data());
          double* cluster = out + labels[i] * stride;
          add_scaled(cluster, 1.0, y.data(), d);
          cluster[d] += node_weight(static_cast<ObjectId>(i));
          cluster[d + 1] += p_.empty() ? 0.0 : p_[i];
        }
      });
  double within = 0;
  for (std::size_t k = 0; k < slots; ++k) {
    const double* cluster = &sums[k * stride];
    const double count = cluster[d];
    within += dot(cluster, cluster, d) + 2 * e1_ * count * cluster[d + 1] + e0_ * count * count;
  }
  return -m_ * (within + pairs_.within(labels));
}

double GramProblem::total(ThreadTeam& team) const {
  const std::vector<ClusterId> together(size(), 0);
  return -cost(together, team);
}

}  // namespace shiftcut

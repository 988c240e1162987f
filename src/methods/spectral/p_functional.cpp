#include "methods/spectral/p_laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/kernels/elementary.hpp"
#include "methods/operations.hpp"
#include "methods/spectral/tuning.hpp"

namespace shiftcut::methods {

namespace {

// The stored entries of row i: similarities, the entries of v that belong to them (gathered, for a
// graph), the offset of the first among those of all rows, and the place of the object itself.
struct Row {
  const double* w;
  const double* v;
  std::size_t first;
  std::size_t length;
  std::size_t self;  // `length` if not stored
};

template <class Visit>
void for_stored_rows(const Similarities& similarities, std::span<const double> v, ThreadTeam& team,
                     const Visit& visit) {
  if (const auto* dense = std::get_if<DenseArray>(&similarities)) {
    const std::size_t n = v.size();
    for_rows(n, team,
             [&](std::size_t i) { visit(i, Row{dense->f64() + i * n, v.data(), i * n, n, i}); });
    return;
  }
  const auto& sparse = std::get<SparseMatrix>(similarities);
  for_rows(v.size(), team, [&](std::size_t i) {
    thread_local std::vector<double> entries;
    const auto first = static_cast<std::size_t>(sparse.offsets[i]);
    const auto end = static_cast<std::size_t>(sparse.offsets[i + 1]);
    std::size_t self = end - first;
    entries.clear();
    for (std::size_t e = first; e < end; ++e) {
      self = sparse.columns[e] == i ? e - first : self;
      entries.push_back(v[sparse.columns[e]]);
    }
    visit(i, Row{sparse.values.data() + first, entries.data(), first, end - first, self});
  });
}

}  // namespace

double best_centre(std::span<const double> u, std::span<const double> weights, double p) {
  const auto [low_at, high_at] = std::minmax_element(u.begin(), u.end());
  double low = *low_at;
  double high = *high_at;
  if (low == high) {
    return low;
  }
  if (p == 2) {
    double sum = 0;
    double total = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      sum += weights[i] * u[i];
      total += weights[i];
    }
    return std::clamp(sum / total, low, high);
  }
  // The slope in c rises from `low` to `high`, steeply at the entries of u. False position copes
  // with steep slopes; every third step halves the interval in case it creeps.
  const auto slope_at = [&](double c) {
    return row_sums(weights.data(), u.data(), c, p, u.size()).slopes;
  };
  double slope_low = slope_at(low);
  double slope_high = slope_at(high);
  const double still = 1e-15 * (slope_high - slope_low);
  double c = low / 2 + high / 2;
  for (int step = 0; step < 200; ++step) {
    const double share = step % 3 == 2 ? 0.5 : -slope_low / (slope_high - slope_low);
    c = low + share * (high - low);
    if (!(c > low && c < high)) {
      break;
    }
    const double slope = slope_at(c);
    if (std::abs(slope) <= still) {
      break;
    }
    (slope > 0 ? high : low) = c;
    (slope > 0 ? slope_high : slope_low) = slope;
    (slope > 0 ? slope_low : slope_high) /= 2;  // Illinois: the end that stays loses weight
  }
  return c;
}

PFunctional::PFunctional(const Similarities& similarities, std::vector<double> weights,
                         ThreadTeam& team)
    : similarities_(similarities), weights_(std::move(weights)), team_(team) {}

PFunctional::Point PFunctional::at(double p, std::vector<double> u) const {
  const std::size_t n = size();
  const double centre = best_centre(u, weights_, p);
  Point point;
  point.u = std::move(u);
  for (double& entry : point.u) {
    entry -= centre;
  }
  std::vector<double> powers(n);
  point.gradient.resize(n);
  for_stored_rows(similarities_, point.u, team_, [&](std::size_t i, const Row& row) {
    const RowSums sums = row_sums(row.w, row.v, point.u[i], p, row.length);
    powers[i] = sums.powers;
    point.gradient[i] = sums.slopes;
  });
  std::vector<double> own(n);  // g |u|^(p-1) sign(u)
  double numerator = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double size = std::abs(point.u[i]);
    const double power = size > 0 ? weights_[i] * portable_exp((p - 1) * portable_log(size)) : 0;
    own[i] = std::copysign(power, point.u[i]);
    point.denominator += power * size;
    numerator += powers[i] / 2;
  }
  point.value = numerator / point.denominator;
  for (std::size_t i = 0; i < n; ++i) {
    point.gradient[i] = p / point.denominator * (point.gradient[i] - point.value * own[i]);
  }
  return point;
}

void PFunctional::curve_at(double p, const Point& point) {
  const auto* sparse = std::get_if<SparseMatrix>(&similarities_);
  curvature_.resize(sparse != nullptr ? sparse->values.size() : size() * size());
  diagonal_.resize(size());
  double largest = 0;
  for (const double entry : point.u) {
    largest = std::max(largest, std::abs(entry));
  }
  for_stored_rows(similarities_, point.u, team_, [&](std::size_t i, const Row& row) {
    const auto curve = [&](std::size_t begin, std::size_t end) {
      return row_curvatures(row.w + begin, row.v + begin, point.u[i], p, kLeastDifference * largest,
                            curvature_.data() + row.first + begin, end - begin);
    };
    diagonal_[i] = curve(0, row.self);
    if (row.self < row.length) {
      curvature_[row.first + row.self] = 0;
      diagonal_[i] += curve(row.self + 1, row.length);
    }
  });
}

void PFunctional::multiply_curvature(std::span<const double> in, std::span<double> out) const {
  const std::size_t n = size();
  if (std::holds_alternative<DenseArray>(similarities_)) {
    for_rows(n, team_, [&](std::size_t i) {
      out[i] = diagonal_[i] * in[i] - dot_float(curvature_.data() + i * n, in.data(), n);
    });
    return;
  }
  const auto& sparse = std::get<SparseMatrix>(similarities_);
  for_rows(n, team_, [&](std::size_t i) {
    double sum = diagonal_[i] * in[i];
    for (auto e = static_cast<std::size_t>(sparse.offsets[i]);
         e < static_cast<std::size_t>(sparse.offsets[i + 1]); ++e) {
      sum -= static_cast<double>(curvature_[e]) * in[sparse.columns[e]];
    }
    out[i] = sum;
  });
}

}  // namespace shiftcut::methods

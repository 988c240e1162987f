// The slowest obvious versions, by the definitions alone: what the fast forms are held to.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/partition.hpp"
#include "core/rng.hpp"
#include "descent/sweep_order.hpp"
#include "problem/problem.hpp"

namespace shiftcut::plain {

using Matrix = std::vector<std::vector<double>>;
using Labels = std::vector<ClusterId>;

/// All S_ij of a problem.
inline Matrix shifted_matrix(const Problem& problem) {
  const std::size_t n = size(problem);
  Matrix s(n, std::vector<double>(n));
  for (ObjectId i = 0; i < n; ++i) {
    for (ObjectId j = 0; j < n; ++j) {
      s[i][j] = shifted(problem, i, j);
    }
  }
  return s;
}

/// - sum over ordered pairs in the same cluster.
inline double cost(const Matrix& s, const Labels& labels) {
  double sum = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (std::size_t j = 0; j < s.size(); ++j) {
      sum += labels[i] == labels[j] ? s[i][j] : 0.0;
    }
  }
  return -sum;
}

inline double largest_entry(const Matrix& s) {
  double largest = 0;
  for (const auto& row : s) {
    for (const double value : row) {
      largest = std::max(largest, std::abs(value));
    }
  }
  return largest;
}

/// Affinities of one object to clusters 0 .. count-1, itself left out.
inline std::vector<double> affinities(const Matrix& s, const Labels& labels, std::size_t object,
                                      std::size_t count) {
  std::vector<double> a(count, 0.0);
  for (std::size_t j = 0; j < s.size(); ++j) {
    if (j != object) {
      a[labels[j]] += s[object][j];
    }
  }
  return a;
}

/// The paper's local search, object by object, on the orders that `rng` gives. K free: the lowest
/// number without members is open to everybody.
inline int descend(const Matrix& s, Labels& labels, std::optional<std::size_t> clusters, Rng& rng) {
  const std::size_t n = s.size();
  const double tolerance = 1e-12 * largest_entry(s) * static_cast<double>(n);
  SweepOrder order(n);
  std::vector<ObjectId> objects(n);
  int sweeps = 0;
  bool moved = true;
  while (moved) {
    moved = false;
    ++sweeps;
    order.shuffle(rng);
    order.fill(0, n, objects.data());
    for (const ObjectId object : objects) {
      std::size_t count = clusters.value_or(0);
      if (!clusters) {
        for (const ClusterId k : labels) {
          count = std::max<std::size_t>(count, k + 1);
        }
        std::vector<bool> used(count + 1, false);
        for (const ClusterId k : labels) {
          used[k] = true;
        }
        bool has_empty = false;
        for (std::size_t k = 0; k < count; ++k) {
          has_empty = has_empty || !used[k];
        }
        count += has_empty ? 0 : 1;
      }
      const std::vector<double> a = affinities(s, labels, object, count);
      const ClusterId own = labels[object];
      double best = a[own];
      for (const double value : a) {
        best = std::max(best, value);
      }
      if (best - a[own] <= tolerance) {
        continue;
      }
      for (ClusterId k = 0; k < count; ++k) {
        if (a[k] >= best - tolerance && a[k] - a[own] > tolerance) {
          labels[object] = k;
          moved = true;
          break;
        }
      }
    }
  }
  return sweeps;
}

/// The same for many objects of features, without the matrix: clusters as sums of rows, everything
/// in double precision, one object at a time.
inline int descend_rows(const GramProblem& problem, Labels& labels, std::size_t clusters,
                        Rng& rng) {
  const std::size_t n = problem.size();
  const std::size_t length = problem.length();
  std::vector<double> sums(clusters * length, 0.0);
  std::vector<double> row(length);
  const auto add = [&](ObjectId i, ClusterId k, double sign) {
    problem.x_row(i, RowTruth::exact, row.data());
    problem.x_to_z(i, row.data());
    for (std::size_t j = 0; j < length; ++j) {
      sums[k * length + j] += sign * row[j];
    }
  };
  for (ObjectId i = 0; i < n; ++i) {
    add(i, labels[i], 1);
  }
  SweepOrder order(n);
  std::vector<ObjectId> objects(n);
  int sweeps = 0;
  bool moved = true;
  while (moved) {
    moved = false;
    ++sweeps;
    order.shuffle(rng);
    order.fill(0, n, objects.data());
    for (const ObjectId object : objects) {
      problem.x_row(object, RowTruth::exact, row.data());
      std::vector<double> a(clusters, 0.0);
      for (std::size_t k = 0; k < clusters; ++k) {
        for (std::size_t j = 0; j < length; ++j) {
          a[k] += row[j] * sums[k * length + j];
        }
      }
      const ClusterId own = labels[object];
      a[own] -= problem.self(object, row.data());
      ClusterId best = own;
      for (ClusterId k = 0; k < clusters; ++k) {
        if (a[k] > a[best] + problem.tolerance()) {
          best = k;
        }
      }
      if (best != own) {
        add(object, own, -1);
        add(object, best, 1);
        labels[object] = best;
        moved = true;
      }
    }
  }
  return sweeps;
}

/// The largest gain any single move would bring; K free: to an empty cluster too.
inline double best_gain(const Matrix& s, const Labels& labels,
                        std::optional<std::size_t> clusters) {
  std::size_t count = clusters.value_or(0);
  for (const ClusterId k : labels) {
    count = std::max<std::size_t>(count, k + std::size_t{1} + (clusters ? 0 : 1));
  }
  double gain = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const std::vector<double> a = affinities(s, labels, i, count);
    for (const double value : a) {
      gain = std::max(gain, value - a[labels[i]]);
    }
  }
  return gain;
}

/// The lowest cost over all labels with at most `clusters` clusters.
inline double lowest_cost(const Matrix& s, std::size_t clusters) {
  Labels labels(s.size(), 0);
  double lowest = 0;
  bool first = true;
  const std::function<void(std::size_t, ClusterId)> assign = [&](std::size_t i, ClusterId used) {
    if (i == s.size()) {
      const double c = cost(s, labels);
      lowest = first ? c : std::min(lowest, c);
      first = false;
      return;
    }
    for (ClusterId k = 0; k < std::min<std::size_t>(used + std::size_t{1}, clusters); ++k) {
      labels[i] = k;
      assign(i + 1, std::max(used, k + 1));
    }
  };
  assign(0, 0);
  return lowest;
}

}  // namespace shiftcut::plain

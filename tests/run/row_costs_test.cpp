// Rows that repeat or have weights: costs and explanations, from the definition over all rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "run/row_tables.hpp"
#include "run/support.hpp"
#include "shiftcut/explain.hpp"

namespace shiftcut {
namespace {

using namespace run_testing;

Table unit_rows(const Table& rows) {
  Table out = rows;
  for (std::vector<double>& row : out) {
    const double norm = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    for (double& value : row) {
      value /= norm > 0 ? norm : 1;
    }
  }
  return out;
}

double squared(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    sum += (a[j] - b[j]) * (a[j] - b[j]);
  }
  return sum;
}

// X over all rows, without scaling. Neighbours are distinct rows, with weights of 1; equal rows
// have similarity 1, a row 0 with itself.
std::vector<std::vector<double>> definition(const Table& rows, const std::string& similarity,
                                            std::size_t k) {
  const std::size_t n = rows.size();
  std::vector<std::vector<double>> x(n, std::vector<double>(n, 0.0));
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      largest = std::max(largest, squared(rows[i], rows[j]));
    }
  }
  const Table units = unit_rows(rows);
  const auto is_near = [&](std::size_t i, std::size_t j) {
    Table nearer;
    for (const std::vector<double>& row : rows) {
      const double to_row = squared(rows[i], row);
      if (to_row > 0 && to_row < squared(rows[i], rows[j]) &&
          std::ranges::find(nearer, row) == nearer.end()) {
        nearer.push_back(row);
      }
    }
    return nearer.size() < k;
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (similarity == "linear") {
        x[i][j] = largest - squared(rows[i], rows[j]);
      } else if (similarity == "cosine") {
        x[i][j] = std::inner_product(units[i].begin(), units[i].end(), units[j].begin(), 0.0);
      } else if (similarity == "rbf") {
        x[i][j] = std::exp(-squared(rows[i], rows[j]) / 4);
      } else if (i != j) {
        x[i][j] = rows[i] == rows[j] || is_near(i, j) || is_near(j, i) ? 1 : 0;
      }
    }
  }
  return x;
}

double cost_of(const std::vector<std::vector<double>>& x, const std::vector<double>& weights,
               const Result& result) {
  const std::size_t n = x.size();
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> r(n, 0.0);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      r[i] += weights[j] * x[i][j];
    }
    total += weights[i] * r[i];
  }
  double cost = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (result.labels[i] == result.labels[j]) {
        const double alpha = (r[i] + r[j]) / all - total / all / all;
        cost -= weights[i] * weights[j] * (x[i][j] - result.shift_strength * alpha);
      }
    }
  }
  return cost;
}

Options unscaled(const std::string& similarity) {
  Options options = asking_for(3);
  options.similarity.scale = Scale::none;
  options.similarity.kind = similarity == "linear"   ? Similarity::linear
                            : similarity == "cosine" ? Similarity::cosine
                            : similarity == "rbf"    ? Similarity::rbf
                                                     : Similarity::neighbors;
  options.similarity.sigma = 2;
  options.similarity.weights = Weights::binary;
  options.similarity.neighbors = 4;
  options.shift = {ShiftKind::adaptive, 0.7, 0, {}};
  return options;
}

TEST(repeated_rows, cost_what_the_definition_over_all_rows_says) {
  const Table distinct = distinct_rows_without_ties(25);
  const Table rows = repeated(distinct, whole_weights(distinct.size(), 4, 6)).rows;
  for (const std::string similarity : {"linear", "cosine", "rbf", "neighbors"}) {
    SCOPED_TRACE(similarity);
    const Result result = run(input_of(rows), unscaled(similarity));
    const double expected =
        cost_of(definition(rows, similarity, 4), std::vector<double>(rows.size(), 1.0), result);
    EXPECT_NEAR(result.cost, expected, 1e-9 * std::abs(expected));
  }
}

TEST(row_weights, may_be_fractions) {
  const Table rows = distinct_rows_without_ties(30);
  std::mt19937 random(8);
  std::vector<double> weights;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    weights.push_back(std::uniform_real_distribution(0.05, 3.0)(random));
  }
  for (const std::string similarity : {"linear", "cosine", "rbf", "neighbors"}) {
    SCOPED_TRACE(similarity);
    const Result result = run(input_of(rows, Form::doubles, weights), unscaled(similarity));
    auto x = definition(rows, similarity, 4);
    for (std::size_t i = 0; similarity == "neighbors" && i < rows.size(); ++i) {
      x[i][i] = std::max(0.0, 1 - 1 / weights[i]);  // w (w - 1) pairs of different rows
    }
    const double expected = cost_of(x, weights, result);
    EXPECT_NEAR(result.cost, expected, 1e-9 * std::abs(expected));
  }
}

TEST(explain, sums_over_the_rows_that_equal_the_object_too) {
  const Table distinct = distinct_rows_without_ties(20);
  const Repeated data = repeated(distinct, whole_weights(distinct.size(), 3, 13));
  for (const std::string similarity : {"linear", "cosine", "rbf", "neighbors"}) {
    SCOPED_TRACE(similarity);
    const Input input = input_of(data.rows);
    const Options options = unscaled(similarity);
    const Result result = run(input, options);
    const auto x = definition(data.rows, similarity, 4);
    const std::size_t n = data.rows.size();
    std::vector<double> r(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      r[i] = std::accumulate(x[i].begin(), x[i].end(), 0.0) / static_cast<double>(n);
    }
    const double mean = std::accumulate(r.begin(), r.end(), 0.0) / static_cast<double>(n);
    const Explanation found = explain(input, options, result, 5);
    double expected = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (j != 5 && result.labels[j] == result.labels[5]) {
        expected += x[5][j] - result.shift_strength * (r[5] + r[j] - mean);
      }
    }
    EXPECT_NEAR(found.own.affinity, expected, 1e-9 * (1 + std::abs(expected)));
  }
}

}  // namespace
}  // namespace shiftcut

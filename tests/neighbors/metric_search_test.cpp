#include "neighbors/metrics/metric_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "neighbors/metrics/cosine_neighbors.hpp"
#include "neighbors/metrics/matrix_neighbors.hpp"
#include "neighbors/support.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {
namespace {

using neighbors_testing::rows_of;

constexpr Metric kMetrics[] = {Metric::euclidean,  Metric::cosine,    Metric::correlation,
                               Metric::manhattan,  Metric::chebyshev, Metric::canberra,
                               Metric::braycurtis, Metric::hamming,   Metric::jaccard};

// As the definitions have it; cosine and correlation as distances of unit rows.
double plain_distance(Metric metric, std::vector<double> a, std::vector<double> b) {
  const std::size_t d = a.size();
  if (metric == Metric::correlation) {
    for (auto* row : {&a, &b}) {
      double mean = 0;
      for (const double value : *row) mean += value / static_cast<double>(d);
      for (double& value : *row) value -= mean;
    }
  }
  double differences = 0, largest = 0, relative = 0, sums = 0, squares = 0;
  double unequal = 0, both = 0, either = 0, product = 0, square_a = 0, square_b = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double difference = std::abs(a[j] - b[j]);
    differences += difference;
    largest = std::max(largest, difference);
    relative += difference > 0 ? difference / (std::abs(a[j]) + std::abs(b[j])) : 0;
    sums += std::abs(a[j] + b[j]);
    squares += difference * difference;
    unequal += difference > 0 ? 1 : 0;
    both += a[j] != 0 && b[j] != 0 ? 1 : 0;
    either += a[j] != 0 || b[j] != 0 ? 1 : 0;
    product += a[j] * b[j];
    square_a += a[j] * a[j];
    square_b += b[j] * b[j];
  }
  switch (metric) {
    case Metric::manhattan:
      return differences;
    case Metric::chebyshev:
      return largest;
    case Metric::canberra:
      return relative;
    case Metric::braycurtis:
      return sums > 0 ? differences / sums : 0;
    case Metric::hamming:
      return unequal / static_cast<double>(d);
    case Metric::jaccard:
      return either > 0 ? 1 - both / either : 0;
    case Metric::cosine:
    case Metric::correlation:
      return std::sqrt(std::max(0.0, 2 - 2 * product / std::sqrt(square_a * square_b)));
    default:
      return std::sqrt(squares);
  }
}

std::vector<double> random_values(std::size_t count, bool are_whole, Rng& rng) {
  std::vector<double> values(count);
  for (double& value : values) {
    value = are_whole ? rng.below(3) : 4 * rng.uniform() - 1;
  }
  return values;
}

NeighborLists found_by(Metric metric, const DenseArray& data, std::size_t k, ThreadTeam& team) {
  const Scaling none = scaling_of(data, Scale::none, "x", team);
  return nearest_neighbors(FeatureRows::for_metric(metric, data, none, team), metric, k, team,
                           Control{});
}

std::vector<double> row_of(const DenseArray& data, std::size_t i) {
  std::vector<double> row(data.columns());
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = data.at(i, j);
  return row;
}

TEST(metric_search, finds_the_distances_that_a_plain_loop_finds) {
  Rng rng(1);
  ThreadTeam team(2);
  for (const Metric metric : kMetrics) {
    for (const std::size_t n : {2U, 17U, 60U, 300U}) {
      for (const std::size_t d : {1U, 3U, 20U}) {
        const bool are_whole = metric == Metric::hamming || metric == Metric::jaccard;
        if (d == 1 && (metric == Metric::cosine || metric == Metric::correlation)) {
          continue;  // one number has no angle
        }
        SCOPED_TRACE(std::string(word_of(metric)) + " n " + std::to_string(n) + " d " +
                     std::to_string(d));
        const DenseArray data =
            DenseArray::own(random_values(n * d, are_whole && d > 3, rng), n, d);
        const NeighborLists lists = found_by(metric, data, 5, team);
        for (std::size_t i = 0; i < n; ++i) {
          std::vector<double> all;
          for (std::size_t j = 0; j < n; ++j) {
            if (j != i) all.push_back(plain_distance(metric, row_of(data, i), row_of(data, j)));
          }
          std::sort(all.begin(), all.end());
          const auto own = lists.of(i);
          ASSERT_EQ(own.size(), std::min<std::size_t>(5, n - 1));
          for (std::size_t e = 0; e < own.size(); ++e) {
            const double distance = std::sqrt(lists.squared[i * lists.k + e]);
            ASSERT_NEAR(distance, plain_distance(metric, row_of(data, i), row_of(data, own[e])),
                        1e-7);
            ASSERT_NEAR(distance, all[e], 1e-7);
          }
        }
      }
    }
  }
}

TEST(metric_search, gives_the_same_lists_for_any_number_of_threads) {
  Rng rng(2);
  const DenseArray data = DenseArray::own(random_values(700 * 6, true, rng), 700, 6);
  for (const Metric metric : kMetrics) {
    ThreadTeam one(1);
    ThreadTeam four(4);
    const NeighborLists a = found_by(metric, data, 7, one);
    const NeighborLists b = found_by(metric, data, 7, four);
    EXPECT_EQ(a.ids, b.ids) << word_of(metric);
    EXPECT_EQ(a.squared, b.squared) << word_of(metric);
  }
}

TEST(metric_search, of_new_rows_finds_the_training_row_they_equal) {
  Rng rng(3);
  ThreadTeam team(2);
  const DenseArray data = DenseArray::own(random_values(120 * 4, false, rng), 120, 4);
  const FeatureRows rows = FeatureRows::as_given(data);
  for (const Metric metric : {Metric::manhattan, Metric::chebyshev, Metric::canberra,
                              Metric::braycurtis, Metric::hamming}) {
    const NeighborLists lists = nearest_by_metric(rows, rows, metric, 3, team, Control{});
    for (std::size_t i = 0; i < 120; ++i) {
      EXPECT_EQ(lists.ids[i * 3], i) << word_of(metric);
      EXPECT_EQ(lists.squared[i * 3], 0);
    }
  }
}

TEST(metric_search, under_cosine_a_row_of_zeros_is_as_far_as_orthogonal_rows) {
  ThreadTeam team(1);
  const DenseArray data = DenseArray::own(std::vector<double>{1, 0, 0, 1, 0, 0, 2, 1}, 4, 2);
  const NeighborLists lists = found_by(Metric::cosine, data, 3, team);
  EXPECT_EQ(lists.ids[0], 3U);
  for (std::size_t e = 0; e < 3; ++e) {
    EXPECT_DOUBLE_EQ(lists.squared[2 * 3 + e], 2);
  }
}

TEST(metric_search, of_sparse_rows_agrees_with_that_of_dense_rows) {
  Rng rng(4);
  ThreadTeam team(2);
  const std::size_t n = 90;
  const std::size_t d = 25;
  std::vector<double> values(n * d, 0.0);
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < d; ++j) {
      if (j == 0 || rng.below(4) == 0) {
        values[i * d + j] = 1 + rng.uniform();
        entries.push_back({i, j, values[i * d + j]});
      }
    }
  }
  const DenseArray dense = DenseArray::own(values, n, d);
  const SparseMatrix sparse = sparse_from_entries(entries, n, d);
  for (const Metric metric : {Metric::cosine, Metric::jaccard}) {
    const NeighborLists a = found_by(metric, dense, 6, team);
    const NeighborLists b = cosine_neighbors(sparse, 6, team, Control{}, metric);
    for (std::size_t e = 0; e < a.squared.size(); ++e) {
      ASSERT_NEAR(a.squared[e], b.squared[e], 1e-12) << word_of(metric);
    }
  }
}

TEST(matrix_neighbors, are_those_of_the_features_the_distances_come_from) {
  Rng rng(5);
  ThreadTeam team(2);
  const std::size_t n = 80;
  const DenseArray data = DenseArray::own(random_values(n * 3, false, rng), n, 3);
  std::vector<double> distances(n * n);
  std::vector<double> similarities(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      distances[i * n + j] = plain_distance(Metric::manhattan, row_of(data, i), row_of(data, j));
      similarities[i * n + j] = 3 - distances[i * n + j];
    }
  }
  const NeighborLists expected = found_by(Metric::manhattan, data, 6, team);
  const NeighborLists near = matrix_neighbors(DenseArray::own(distances, n, n), true, 6, team);
  EXPECT_EQ(near.ids, expected.ids);
  for (std::size_t e = 0; e < near.squared.size(); ++e) {
    EXPECT_NEAR(near.squared[e], expected.squared[e], 1e-9);
  }
  EXPECT_EQ(matrix_neighbors(DenseArray::own(similarities, n, n), false, 6, team).ids,
            expected.ids);
}

TEST(matrix_neighbors, are_not_all_copies_where_there_are_others) {
  ThreadTeam team(1);
  const std::size_t n = 12;
  std::vector<double> distances(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      distances[i * n + j] = (i == 11) != (j == 11) ? 1 : 0;
    }
  }
  const NeighborLists near = matrix_neighbors(DenseArray::own(distances, n, n), true, 3, team);
  for (std::size_t i = 0; i < 11; ++i) {
    EXPECT_EQ(near.ids[i * 3 + 2], 11U) << i;
  }
}

TEST(matrix_neighbors, number_as_many_as_there_are) {
  ThreadTeam team(1);
  const NeighborLists one =
      matrix_neighbors(DenseArray::own(std::vector<double>{0}, 1, 1), true, 3, team);
  EXPECT_EQ(one.k, 0U);
  const NeighborLists all = matrix_neighbors(
      DenseArray::own(std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 0}, 3, 3), true, 9, team);
  EXPECT_EQ(all.of(0).size(), 2U);
}

}  // namespace
}  // namespace shiftcut

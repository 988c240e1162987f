#include "neighbors/metrics/cosine_neighbors.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "neighbors/support.hpp"

namespace shiftcut {
namespace {

// n x d with few entries; some rows are empty, some stand twice.
std::vector<double> sparse_values(std::size_t n, std::size_t d, Rng& rng, bool negative) {
  std::vector<double> values(n * d, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d && i % 17 != 5; ++j) {
      if (rng.uniform() < 0.15) {
        values[i * d + j] = rng.uniform() - (negative ? 0.5 : -0.1);
      }
    }
    if (i % 7 == 3) {
      std::copy_n(&values[(i / 2) * d], d, &values[i * d]);
    }
  }
  return values;
}

SparseMatrix sparse_of(const std::vector<double>& values, std::size_t n, std::size_t d) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      if (values[i * d + j] != 0) {
        entries.push_back(
            {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), values[i * d + j]});
      }
    }
  }
  return sparse_from_entries(std::move(entries), n, d);
}

TEST(cosine_neighbors, are_the_nearest_of_the_dense_rows_at_unit_length) {
  Rng rng(1);
  ThreadTeam team(2);
  for (const bool negative : {false, true}) {
    const std::size_t n = 220;
    const std::size_t d = 30;
    const std::vector<double> values = sparse_values(n, d, rng, negative);
    const SparseMatrix sparse = sparse_of(values, n, d);
    for (const std::size_t k : {1U, 5U, 30U}) {
      const NeighborLists found = cosine_neighbors(sparse, k, team, Control{});
      for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> expected;
        const double* x = &values[i * d];
        for (std::size_t j = 0; j < n; ++j) {
          const double* y = &values[j * d];
          const double norms = std::sqrt(dot(x, x, d) * dot(y, y, d));
          if (j != i && norms > 0 && dot(x, y, d) > 0) {
            expected.push_back(2 - 2 * dot(x, y, d) / norms);
          }
        }
        std::sort(expected.begin(), expected.end());
        expected.resize(std::min(expected.size(), k));
        ASSERT_EQ(found.of(i).size(), expected.size());
        for (std::size_t e = 0; e < expected.size(); ++e) {
          const double* y = &values[found.of(i)[e] * d];
          const double cosine = dot(x, y, d) / std::sqrt(dot(x, x, d) * dot(y, y, d));
          ASSERT_NEAR(found.squared[i * k + e], expected[e], 1e-12);
          ASSERT_NEAR(found.squared[i * k + e], 2 - 2 * cosine, 1e-12);
        }
      }
    }
  }
}

TEST(cosine_neighbors, of_equal_rows_are_at_distance_zero_and_form_a_ring) {
  ThreadTeam team(2);
  std::vector<double> values;
  for (std::size_t i = 0; i < 40; ++i) {
    values.insert(values.end(), {1.5, 0, 0.7, 0.1});
  }
  const NeighborLists lists = cosine_neighbors(sparse_of(values, 40, 4), 3, team, Control{});
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t e = 0; e < 3; ++e) {
      EXPECT_EQ(lists.ids[i * 3 + e], (i + e + 1) % 40);
      EXPECT_EQ(lists.squared[i * 3 + e], 0);
    }
  }
}

TEST(cosine_neighbors, of_a_zero_row_are_none) {
  ThreadTeam team(1);
  const NeighborLists lists =
      cosine_neighbors(sparse_of({0, 0, 1e200, 1e200, 1e-200, 1e-200}, 3, 2), 2, team, Control{});
  EXPECT_TRUE(lists.of(0).empty());
  ASSERT_EQ(lists.of(1).size(), 1U);
  EXPECT_EQ(lists.of(1)[0], 2U);
  EXPECT_EQ(lists.squared[2], 0);
}

TEST(cosine_neighbors, do_not_depend_on_the_number_of_threads) {
  Rng rng(2);
  const SparseMatrix sparse = sparse_of(sparse_values(300, 40, rng, true), 300, 40);
  ThreadTeam alone(1);
  const NeighborLists expected = cosine_neighbors(sparse, 8, alone, Control{});
  for (const int threads : {2, 7}) {
    ThreadTeam team(threads);
    const NeighborLists found = cosine_neighbors(sparse, 8, team, Control{});
    EXPECT_EQ(found.ids, expected.ids);
    EXPECT_EQ(found.squared, expected.squared);
  }
}

TEST(cosine_neighbors, are_left_by_an_exception_when_told_to_stop) {
  Rng rng(3);
  const SparseMatrix sparse = sparse_of(sparse_values(100, 10, rng, false), 100, 10);
  const std::atomic<bool> flag{true};
  Control control;
  control.stop = &flag;
  ThreadTeam team(2);
  StopCheck stop(control, Clock::now(), 0);
  const StopScope scope(team, stop);
  EXPECT_THROW(cosine_neighbors(sparse, 8, team, control), Interrupted);
}

}  // namespace
}  // namespace shiftcut

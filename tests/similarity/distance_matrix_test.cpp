#include "similarity/distance_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>

#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using testing_support::grouped_rows;

plain::Matrix plain_squared_distances(const FeatureRows& rows) {
  const std::size_t n = rows.size();
  const std::size_t d = rows.length();
  std::vector<double> all(n * d);
  for (std::size_t i = 0; i < n; ++i) {
    rows.row(i, &all[i * d]);
  }
  plain::Matrix squared(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t c = 0; c < d; ++c) {
        squared[i][j] += (all[i * d + c] - all[j * d + c]) * (all[i * d + c] - all[j * d + c]);
      }
    }
  }
  return squared;
}

// exp(-d^2 / (sigma_i sigma_j)), sigma_i the 7th smallest distance that is not zero (the largest,
// where there are fewer; 1 where there is none).
plain::Matrix plain_self_tuned(const plain::Matrix& squared) {
  std::vector<double> sigma;
  for (const auto& row : squared) {
    std::vector<double> others;
    std::copy_if(row.begin(), row.end(), std::back_inserter(others),
                 [](double x) { return x > 0; });
    std::sort(others.begin(), others.end());
    sigma.push_back(
        others.empty() ? 1.0 : std::sqrt(others[std::min<std::size_t>(6, others.size() - 1)]));
  }
  plain::Matrix x = squared;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      x[i][j] = std::exp(-squared[i][j] / (sigma[i] * sigma[j]));
    }
  }
  return x;
}

FeatureRows rows_of(const std::vector<double>& values, std::size_t n, std::size_t d,
                    bool centred = false) {
  ThreadTeam team(1);
  const DenseArray data = DenseArray::own(values, n, d);
  const Scaling scaling = scaling_of(data, Scale::none, "x", team);
  return centred ? FeatureRows::centred(data, scaling) : FeatureRows::scaled(data, scaling);
}

// Sizes around the borders of tiles and panels; some rows stand twice.
template <class Check>
void for_many_rows(std::uint64_t seed, const Check& check) {
  Rng rng(seed);
  for (const std::size_t n :
       {1U, 2U, 3U, 6U, 7U, 8U, 9U, 16U, 40U, 127U, 128U, 129U, 145U, 256U, 300U}) {
    for (const std::size_t d : {1U, 3U, 20U}) {
      std::vector<double> values = grouped_rows(n, d, 3, rng);
      if (n % 2 == 0) {
        const std::size_t copies = rng.below(static_cast<std::uint32_t>(n));
        for (std::size_t c = 0; c < copies; ++c) {
          const std::size_t from = rng.below(static_cast<std::uint32_t>(n));
          const std::size_t to = rng.below(static_cast<std::uint32_t>(n));
          std::copy_n(&values[from * d], d, &values[to * d]);
        }
      }
      const FeatureRows rows = rows_of(values, n, d);
      SCOPED_TRACE("n = " + std::to_string(n) + ", d = " + std::to_string(d));
      check(rows, plain_squared_distances(rows));
    }
  }
}

void expect_symmetric_and_close(const DenseArray& found, const plain::Matrix& expected,
                                double slack) {
  ASSERT_EQ(found.rows(), expected.size());
  ASSERT_EQ(found.columns(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (std::size_t j = 0; j < expected.size(); ++j) {
      ASSERT_NEAR(found.at(i, j), expected[i][j], slack * (1e-300 + std::abs(expected[i][j])))
          << i << ", " << j;
      ASSERT_EQ(found.at(i, j), found.at(j, i));
    }
  }
}

TEST(distance_matrix, euclidean_distances_are_those_of_the_definition) {
  ThreadTeam team(2);
  for_many_rows(1, [&](const FeatureRows& rows, plain::Matrix expected) {
    for (auto& row : expected) {
      for (double& value : row) {
        value = std::sqrt(value);
      }
    }
    expect_symmetric_and_close(euclidean_distances(rows, team, Control{}), expected, 1e-13);
  });
}

TEST(distance_matrix, rbf_with_a_sigma_is_the_gaussian_of_the_distance) {
  ThreadTeam team(2);
  for (const double sigma : {0.7, 3.0}) {
    for_many_rows(2, [&](const FeatureRows& rows, plain::Matrix expected) {
      for (auto& row : expected) {
        for (double& value : row) {
          value = std::exp(-value / (sigma * sigma));
        }
      }
      expect_symmetric_and_close(rbf_similarities(rows, sigma, team, Control{}), expected, 1e-10);
    });
  }
}

TEST(distance_matrix, rbf_without_a_sigma_goes_by_the_seventh_neighbour) {
  ThreadTeam team(2);
  for_many_rows(3, [&](const FeatureRows& rows, const plain::Matrix& squared) {
    const DenseArray found = rbf_similarities(rows, std::nullopt, team, Control{});
    expect_symmetric_and_close(found, plain_self_tuned(squared), 1e-10);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(found.at(i, i), 1);
    }
  });
}

TEST(distance_matrix, rbf_of_equal_rows_is_one) {
  ThreadTeam team(1);
  const FeatureRows rows = rows_of(std::vector<double>(20, 2.5), 10, 2);
  for (const std::optional<double> sigma : {std::optional<double>(0.1), std::optional<double>()}) {
    const DenseArray x = rbf_similarities(rows, sigma, team, Control{});
    for (std::size_t i = 0; i < 10; ++i) {
      for (std::size_t j = 0; j < 10; ++j) {
        EXPECT_EQ(x.at(i, j), 1);
      }
    }
  }
}

TEST(distance_matrix, matrices_do_not_depend_on_the_number_of_threads) {
  Rng rng(4);
  const std::size_t n = 300;
  const FeatureRows rows = rows_of(grouped_rows(n, 4, 3, rng), n, 4);
  ThreadTeam alone(1);
  const DenseArray distances = euclidean_distances(rows, alone, Control{});
  const DenseArray similarities = rbf_similarities(rows, std::nullopt, alone, Control{});
  for (const int threads : {2, 7}) {
    ThreadTeam team(threads);
    const DenseArray d = euclidean_distances(rows, team, Control{});
    const DenseArray x = rbf_similarities(rows, std::nullopt, team, Control{});
    EXPECT_TRUE(std::equal(d.f64(), d.f64() + n * n, distances.f64()));
    EXPECT_TRUE(std::equal(x.f64(), x.f64() + n * n, similarities.f64()));
  }
}

TEST(distance_matrix, the_largest_squared_distance_is_the_largest_of_all) {
  for_many_rows(5, [&](const FeatureRows& rows, const plain::Matrix& squared) {
    const double expected = plain::largest_entry(squared);
    for (const int threads : {1, 2, 7}) {
      ThreadTeam team(threads);
      EXPECT_NEAR(largest_squared_distance(rows, team, Control{}), expected, 1e-13 * expected);
    }
  });
}

// Many strips, and shapes where leaving pairs out is tempting: a ring, a far outlier, a line.
TEST(distance_matrix, the_largest_squared_distance_leaves_out_no_pair_that_counts) {
  ThreadTeam team(2);
  Rng rng(6);
  const std::size_t n = 1500;
  std::vector<double> ring;
  std::vector<double> outlier = grouped_rows(n, 2, 2, rng);
  std::vector<double> line;
  std::vector<double> offset = grouped_rows(n, 2, 2, rng);
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 6.283185307179586 * rng.uniform();
    ring.insert(ring.end(), {std::cos(angle), std::sin(angle)});
    line.insert(line.end(), {static_cast<double>(i), 0.5});
    offset[2 * i] += 1000;
  }
  outlier[2 * 700] = 1e4;
  for (const std::vector<double>& values : {ring, outlier, line, offset}) {
    for (const bool centred : {false, true}) {
      const FeatureRows rows = rows_of(values, n, 2, centred);
      const double expected = plain::largest_entry(plain_squared_distances(rows));
      EXPECT_NEAR(largest_squared_distance(rows, team, Control{}), expected, 1e-12 * expected);
    }
  }
}

TEST(distance_matrix, is_left_by_an_exception_when_told_to_stop) {
  Rng rng(7);
  const FeatureRows rows = rows_of(grouped_rows(300, 3, 2, rng), 300, 3);
  const std::atomic<bool> flag{true};
  Control control;
  control.stop = &flag;
  for (const int threads : {1, 2, 7}) {
    ThreadTeam team(threads);
    StopCheck stop(control, Clock::now(), 0);
    {
      const StopScope scope(team, stop);
      EXPECT_THROW(euclidean_distances(rows, team, control), Interrupted);
      EXPECT_THROW(rbf_similarities(rows, 1.0, team, control), Interrupted);
      EXPECT_THROW(rbf_similarities(rows, std::nullopt, team, control), Interrupted);
      EXPECT_THROW(largest_squared_distance(rows, team, control), Interrupted);
    }
    EXPECT_NO_THROW(euclidean_distances(rows, team, Control{})) << "the team goes on";
  }
}

TEST(distance_matrix, tells_how_far_it_is) {
  Rng rng(8);
  const FeatureRows rows = rows_of(grouped_rows(700, 2, 2, rng), 700, 2);
  ThreadTeam team(2);
  std::uint64_t calls = 0;
  Control control;
  control.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.phase, "similarity");
    EXPECT_EQ(progress.done, ++calls);
    EXPECT_EQ(progress.total, 6U);
  };
  (void)euclidean_distances(rows, team, control);
  EXPECT_EQ(calls, 6U);
}

}  // namespace
}  // namespace shiftcut

#include "methods/operations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "core/rng.hpp"

namespace shiftcut::methods {
namespace {

DenseArray random_matrix(std::size_t n, std::uint64_t seed) {
  Rng rng(seed, 0);
  std::vector<double> values(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double value = rng.below(3) == 0 ? rng.uniform() : 0.0;
      values[i * n + j] = value;
      values[j * n + i] = value;
    }
  }
  return DenseArray::own(std::move(values), n, n);
}

SparseMatrix as_graph(const DenseArray& dense) {
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < dense.rows(); ++i) {
    for (std::uint32_t j = 0; j < dense.rows(); ++j) {
      if (dense.at(i, j) != 0) {
        entries.push_back({i, j, dense.at(i, j)});
      }
    }
  }
  return sparse_from_entries(std::move(entries), dense.rows(), dense.rows());
}

TEST(operations, multiply_as_the_definition_for_both_forms_and_any_number_of_threads) {
  for (const std::size_t n : {1, 2, 7, 8, 65, 200}) {
    const DenseArray dense = random_matrix(n, n);
    Rng rng(n, 1);
    std::vector<double> in(n);
    for (double& value : in) {
      value = rng.uniform() - 0.5;
    }
    std::vector<double> first;
    for (const int threads : {1, 2, 7}) {
      ThreadTeam team(threads);
      std::vector<double> by_rows(n);
      std::vector<double> by_edges(n);
      multiply(dense, in, by_rows, team);
      multiply(as_graph(dense), in, by_edges, team);
      for (std::size_t i = 0; i < n; ++i) {
        double expected = 0;
        for (std::size_t j = 0; j < n; ++j) {
          expected += dense.at(i, j) * in[j];
        }
        EXPECT_NEAR(by_rows[i], expected, 1e-12);
        EXPECT_NEAR(by_edges[i], expected, 1e-12);
      }
      first = first.empty() ? by_rows : first;
      EXPECT_EQ(by_rows, first);
    }
  }
}

TEST(operations, degrees_are_row_sums) {
  ThreadTeam team(2);
  const Similarities w = DenseArray::own(std::vector<double>{0, 3, 1, 3, 0, 0, 1, 0, 0}, 3, 3);
  EXPECT_THAT(degrees(w, team), testing::ElementsAre(4, 3, 1));
}

TEST(operations, what_is_not_allowed_is_named) {
  const auto message_of = [](const Similarities& given) {
    try {
      check_similarities(given, "some method");
      check_not_negative(given, "some method");
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message_of(random_matrix(4, 0)), "");
  EXPECT_EQ(message_of(DenseArray::own(std::vector<double>{0, -1, -1, 0}, 2, 2)),
            "some method: found the similarity -1 of objects 0 and 1; allowed: 0 or more");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message_of(sparse_from_entries({{1, 0, nan}}, 2, 2)),
            "some method: found nan as the similarity of objects 1 and 0; allowed: finite numbers");
  EXPECT_EQ(message_of(DenseArray::own(std::vector<double>{0, 1}, 1, 2)),
            "some method: found 1 x 2 similarities; allowed: n x n, of one object or more");
  EXPECT_EQ(message_of(DenseArray::own(std::vector<float>{0}, 1, 1)),
            "some method: found float32 similarities; allowed: float64");
  EXPECT_THAT(message_of(SparseMatrix{}), testing::HasSubstr("0 x 0"));
}

}  // namespace
}  // namespace shiftcut::methods

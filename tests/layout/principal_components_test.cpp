#include "layout/principal_components.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <Eigen/Dense>

#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;
using Eigen::MatrixXd;

// By the eigenvectors of the whole covariance matrix.
Layout plain_components(const MatrixXd& rows, const Eigen::VectorXd& weights) {
  const Eigen::RowVectorXd mean = (weights.transpose() * rows) / weights.sum();
  const MatrixXd centred = rows.rowwise() - mean;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(centred.transpose() * weights.asDiagonal() *
                                                      centred / weights.sum());
  Layout places(static_cast<std::size_t>(rows.rows()));
  for (int c = 0; c < 2; ++c) {
    Eigen::VectorXd direction = eigen.eigenvectors().col(rows.cols() - 1 - c);
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    direction *= direction(largest) < 0 ? -1 : 1;
    const Eigen::VectorXd along = centred * direction;
    for (std::size_t i = 0; i < places.size(); ++i) {
      (c == 0 ? places[i].x : places[i].y) = along(static_cast<Eigen::Index>(i));
    }
  }
  return places;
}

void expect_near(const Layout& a, const Layout& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_NEAR(a[i].x, b[i].x, tolerance) << i;
    ASSERT_NEAR(a[i].y, b[i].y, tolerance) << i;
  }
}

SparseMatrix sparse_of(const MatrixXd& rows) {
  std::vector<Entry> entries;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    for (Eigen::Index j = 0; j < rows.cols(); ++j) {
      if (rows(i, j) != 0) {
        entries.push_back(
            {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), rows(i, j)});
      }
    }
  }
  return sparse_from_entries(std::move(entries), static_cast<std::size_t>(rows.rows()),
                             static_cast<std::size_t>(rows.cols()));
}

// Columns of variances 4, 2 and less, at random, many of them 0.
MatrixXd random_rows(Eigen::Index n, Eigen::Index d, Rng& rng) {
  MatrixXd rows(n, d);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < d; ++j) {
      rows(i, j) = rng.below(2) == 0 ? 0 : 3 + normal(rng) * (j == 0 ? 9.0 : (j == 1 ? 6.0 : 2.0));
    }
  }
  return rows;
}

TEST(principal_components, are_those_of_the_whole_covariance_matrix) {
  Rng rng(1);
  ThreadTeam team(2);
  for (const Eigen::Index d : {2, 3, 8, 9, 40}) {
    const MatrixXd rows = random_rows(500, d, rng);
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_rows = rows;
    std::vector<double> weights(500);
    for (double& weight : weights) {
      weight = rng.below(4);
    }
    const Layout plain =
        plain_components(rows, Eigen::Map<const Eigen::VectorXd>(weights.data(), 500));
    const DenseArray dense = DenseArray::borrow(by_rows.data(), 500, static_cast<std::size_t>(d));
    expect_near(principal_components(dense, {}, weights, team), plain, 1e-4);
    expect_near(principal_components(sparse_of(rows), weights, team), plain, 1e-4);
    expect_near(principal_components(dense, {}, {}, team),
                plain_components(rows, Eigen::VectorXd::Ones(500)), 1e-4);
  }
}

TEST(principal_components, are_the_same_on_any_number_of_threads) {
  Rng rng(2);
  const Input input = features32(grouped_rows(3000, 20, 4, rng), 3000, 20);
  const auto& rows = std::get<DenseArray>(input.values);
  ThreadTeam one(1);
  const Layout expected = principal_components(rows, {}, {}, one);
  for (const int threads : {2, 5}) {
    ThreadTeam team(threads);
    const Layout places = principal_components(rows, {}, {}, team);
    for (std::size_t i = 0; i < places.size(); ++i) {
      ASSERT_TRUE(places[i].x == expected[i].x && places[i].y == expected[i].y);
    }
  }
}

TEST(principal_components, of_rows_that_do_not_vary_are_zero) {
  ThreadTeam team(1);
  const DenseArray rows = DenseArray::own(std::vector<double>(30, 2.5), 10, 3);
  for (const Place& place : principal_components(rows, {}, {}, team)) {
    EXPECT_NEAR(place.x, 0, 1e-12);
    EXPECT_NEAR(place.y, 0, 1e-12);
  }
}

}  // namespace
}  // namespace shiftcut

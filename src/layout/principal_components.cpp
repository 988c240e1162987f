#include "layout/principal_components.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include <Eigen/Dense>

#include "core/rng.hpp"
#include "layout/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

using namespace layout_tuning;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// How rows of either kind are read: each row as (column, value), scaled.
class DenseRows {
 public:
  DenseRows(const DenseArray& rows, const FeatureScaling& scaling) : rows_(rows) {
    const bool is_scaled = !scaling.factor.empty();
    offset_ = is_scaled ? scaling.offset : std::vector<double>(rows.columns(), 0.0);
    factor_ = is_scaled ? scaling.factor : std::vector<double>(rows.columns(), 1.0);
  }
  [[nodiscard]] std::size_t size() const { return rows_.rows(); }
  [[nodiscard]] std::size_t length() const { return rows_.columns(); }
  template <class Use>
  void each(std::size_t i, const Use& use) const {
    for (std::size_t j = 0; j < length(); ++j) {
      use(j, (rows_.at(i, j) - offset_[j]) * factor_[j]);
    }
  }

 private:
  const DenseArray& rows_;
  std::vector<double> offset_;
  std::vector<double> factor_;
};

class SparseRows {
 public:
  explicit SparseRows(const SparseMatrix& rows) : rows_(rows) {}
  [[nodiscard]] std::size_t size() const { return rows_.rows; }
  [[nodiscard]] std::size_t length() const { return rows_.columns_count; }
  template <class Use>
  void each(std::size_t i, const Use& use) const {
    for (auto e = static_cast<std::size_t>(rows_.offsets[i]);
         e < static_cast<std::size_t>(rows_.offsets[i + 1]); ++e) {
      use(rows_.columns[e], rows_.values[e]);
    }
  }

 private:
  const SparseMatrix& rows_;
};

// Y^T D Y V and related products, Y the centred rows and D their weights. Neither Y nor Y^T Y is
// stored.
template <class Rows>
class Covariance {
 public:
  Covariance(const Rows& rows, std::span<const double> weights, ThreadTeam& team)
      : rows_(rows), weights_(weights), team_(team) {
    all_ = weights.empty() ? static_cast<double>(rows.size())
                           : std::accumulate(weights.begin(), weights.end(), 0.0);
    const std::vector<double> sums = sum_over(rows_.length(), [&](std::size_t i, double* out) {
      rows_.each(i, [&](std::size_t j, double value) { out[j] += weight(i) * value; });
    });
    mean_ = Eigen::Map<const VectorXd>(sums.data(), static_cast<Eigen::Index>(sums.size())) / all_;
  }

  // y_i V, with V transposed: its columns belong to the columns of the data.
  void coordinates(std::size_t i, const MatrixXd& across, const VectorXd& of_mean,
                   double* out) const {
    Eigen::Map<VectorXd> y(out, across.rows());
    y = -of_mean;
    rows_.each(i, [&](std::size_t j, double value) {
      y.noalias() += value * across.col(static_cast<Eigen::Index>(j));
    });
  }

  [[nodiscard]] VectorXd of_mean(const MatrixXd& across) const { return across * mean_; }

  // (Y^T D Y V)^T / sum of D
  [[nodiscard]] MatrixXd times(const MatrixXd& across) const {
    const auto block = static_cast<std::size_t>(across.rows());
    const VectorXd at_mean = of_mean(across);
    // Behind the products, the sum of all coordinates: it is 0 but for rounding, and taken out.
    const std::vector<double> sums =
        sum_over((rows_.length() + 1) * block, [&](std::size_t i, double* out) {
          std::array<double, kDirections> own{};
          coordinates(i, across, at_mean, own.data());
          for (double& y : own) {
            y *= weight(i);
          }
          const Eigen::Map<const VectorXd> y(own.data(), across.rows());
          rows_.each(i, [&](std::size_t j, double value) {
            Eigen::Map<VectorXd>(out + j * block, across.rows()).noalias() += value * y;
          });
          Eigen::Map<VectorXd>(out + rows_.length() * block, across.rows()) += y;
        });
    const Eigen::Map<const MatrixXd> products(sums.data(), across.rows(),
                                              static_cast<Eigen::Index>(rows_.length()));
    const Eigen::Map<const VectorXd> left(sums.data() + rows_.length() * block, across.rows());
    return (products - left * mean_.transpose()) / all_;
  }

 private:
  [[nodiscard]] double weight(std::size_t i) const { return weights_.empty() ? 1 : weights_[i]; }

  template <class Add>
  [[nodiscard]] std::vector<double> sum_over(std::size_t length, const Add& add) const {
    return sum_over_row_chunks(rows_.size(), rows_.length(), length, team_,
                               [&](std::size_t begin, std::size_t end, double* sums) {
                                 for (std::size_t i = begin; i < end; ++i) {
                                   team_.poll_each(i);
                                   add(i, sums);
                                 }
                               });
  }

  const Rows& rows_;
  std::span<const double> weights_;
  ThreadTeam& team_;
  double all_ = 1;
  VectorXd mean_;
};

MatrixXd orthonormal(const MatrixXd& across) {
  const Eigen::HouseholderQR<MatrixXd> qr(across.transpose());
  return (qr.householderQ() * MatrixXd::Identity(across.cols(), across.rows())).transpose();
}

// Two directions as rows, of unit length; of fewer columns, zeros.
template <class Rows>
MatrixXd directions(const Covariance<Rows>& covariance, std::size_t columns) {
  const auto d = static_cast<Eigen::Index>(columns);
  const Eigen::Index block = std::min<Eigen::Index>(d, kDirections);
  MatrixXd across(block, d);
  Rng rng(0);
  for (Eigen::Index j = 0; j < d; ++j) {
    for (Eigen::Index b = 0; b < block; ++b) {
      across(b, j) = rng.uniform() - 0.5;
    }
  }
  across = orthonormal(across);
  VectorXd before = VectorXd::Zero(block);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const MatrixXd products = covariance.times(across);
    const MatrixXd small = products * across.transpose();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen((small + small.transpose()) / 2);
    const VectorXd& values = eigen.eigenvalues();  // ascending
    const MatrixXd ritz = eigen.eigenvectors().transpose() * across;
    const bool is_last = (values - before).tail(std::min<Eigen::Index>(block, 2)).norm() <=
                         kConverged * values.tail(1).norm();
    before = values;
    if (block == d || is_last || iteration + 1 == kMostIterations) {
      across = ritz;
      break;
    }
    across = orthonormal(eigen.eigenvectors().transpose() * products);
  }
  MatrixXd two = MatrixXd::Zero(2, d);
  for (Eigen::Index c = 0; c < std::min<Eigen::Index>(2, block); ++c) {
    two.row(c) = across.row(block - 1 - c);
    Eigen::Index largest = 0;
    two.row(c).cwiseAbs().maxCoeff(&largest);
    two.row(c) *= two(c, largest) < 0 ? -1 : 1;
  }
  return two;
}

template <class Rows>
Layout components_of(const Rows& rows, std::span<const double> weights, ThreadTeam& team) {
  Layout places(rows.size());
  if (rows.size() == 0 || rows.length() == 0) {
    return places;
  }
  const Covariance<Rows> covariance(rows, weights, team);
  const MatrixXd two = directions(covariance, rows.length());
  const VectorXd of_mean = covariance.of_mean(two);
  for_each_row_chunk(rows.size(), kPlacesPerTask, team,
                     [&](std::size_t begin, std::size_t end, int) {
                       for (std::size_t i = begin; i < end; ++i) {
                         std::array<double, 2> own{};
                         covariance.coordinates(i, two, of_mean, own.data());
                         places[i] = {own[0], own[1]};
                       }
                     });
  return places;
}

}  // namespace

Layout principal_components(const DenseArray& rows, const FeatureScaling& scaling,
                            std::span<const double> weights, ThreadTeam& team) {
  return components_of(DenseRows(rows, scaling), weights, team);
}

Layout principal_components(const SparseMatrix& rows, std::span<const double> weights,
                            ThreadTeam& team) {
  return components_of(SparseRows(rows), weights, team);
}

}  // namespace shiftcut

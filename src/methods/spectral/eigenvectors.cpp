// Lanczos looks for the largest eigenvalue of bound I - M, which is positive semidefinite: the same
// Krylov spaces as for M, but a tolerance relative to an eigenvalue that is not near 0.
#include "methods/spectral/eigenvectors.hpp"

#include <Spectra/SymEigsSolver.h>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

constexpr std::size_t kAllAtOnce = 64;  // objects
constexpr Eigen::Index kBasis = 40;     // Lanczos vectors
constexpr Eigen::Index kRestarts = 300;
constexpr double kAccuracy = 1e-10;

// bound I - M, as Spectra wants to see it.
class Flipped {
 public:
  using Scalar = double;

  Flipped(const SymmetricOperator& matrix, const Control& control)
      : matrix_(matrix), control_(control) {}

  [[nodiscard]] Eigen::Index rows() const { return static_cast<Eigen::Index>(matrix_.n); }
  [[nodiscard]] Eigen::Index cols() const { return rows(); }

  void perform_op(const double* in, double* out) const {
    if (control_.stop_requested()) {
      throw Interrupted();
    }
    matrix_.apply(std::span(in, matrix_.n), std::span(out, matrix_.n));
    for (std::size_t i = 0; i < matrix_.n; ++i) {
      out[i] = matrix_.bound * in[i] - out[i];
    }
  }

 private:
  const SymmetricOperator& matrix_;
  const Control& control_;
};

Eigenpair from_all(const SymmetricOperator& matrix) {
  const auto n = static_cast<Eigen::Index>(matrix.n);
  Eigen::MatrixXd full(n, n);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    unit[j] = 1;
    matrix.apply(std::span(unit.data(), matrix.n), std::span(full.col(j).data(), matrix.n));
    unit[j] = 0;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver((full + full.transpose()) / 2);
  const Eigen::VectorXd vector = solver.eigenvectors().col(0);
  return {solver.eigenvalues()[0], {vector.data(), vector.data() + n}, true};
}

Eigenpair by_lanczos(const SymmetricOperator& matrix, const Control& control) {
  Flipped flipped(matrix, control);
  Spectra::SymEigsSolver<Flipped> solver(flipped, 1, kBasis);
  solver.init();
  const double tolerance = std::max(kAccuracy * matrix.scale / matrix.bound, 1e-15);
  const auto largest = Spectra::SortRule::LargestAlge;
  const bool converged = solver.compute(largest, kRestarts, tolerance) == 1;
  if (!converged) {
    solver.compute(largest, 1, 1.0);  // takes any Ritz vector: the best so far
  }
  const Eigen::VectorXd vector = solver.eigenvectors(1).col(0);
  return {matrix.bound - solver.eigenvalues()[0],
          {vector.data(), vector.data() + vector.size()},
          converged};
}

}  // namespace

Eigenpair lowest_eigenpair(const SymmetricOperator& matrix, const Control& control) {
  return matrix.n <= kAllAtOnce ? from_all(matrix) : by_lanczos(matrix, control);
}

Eigenpair second_laplacian_eigenpair(const Similarities& similarities,
                                     std::span<const double> weights, ThreadTeam& team,
                                     const Control& control) {
  const std::vector<double> degree = degrees(similarities, team);
  const std::size_t n = degree.size();
  std::vector<double> root(n);      // G^1/2
  std::vector<double> constant(n);  // what G^1/2 makes of it, of length 1
  double total = 0;
  double steepest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    root[i] = std::sqrt(weights[i]);
    total += weights[i];
    steepest = std::max(steepest, degree[i] / weights[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    constant[i] = root[i] / std::sqrt(total);
  }
  const double bound = steepest > 0 ? 2 * steepest : 1;  // of a graph without edges any will do
  std::vector<double> y(n);
  SymmetricOperator matrix;
  matrix.n = n;
  matrix.bound = bound;
  matrix.scale = bound;
  // z -> G^-1/2 L G^-1/2 z, the constant lifted from eigenvalue 0 to the bound.
  matrix.apply = [&](std::span<const double> in, std::span<double> out) {
    double along = 0;
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = in[i] / root[i];
      along += in[i] * constant[i];
    }
    multiply(similarities, y, out, team);
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = (degree[i] * y[i] - out[i]) / root[i] + bound * along * constant[i];
    }
  };
  Eigenpair pair = lowest_eigenpair(matrix, control);
  for (std::size_t i = 0; i < n; ++i) {
    pair.vector[i] /= root[i];
  }
  return pair;
}

}  // namespace shiftcut::methods

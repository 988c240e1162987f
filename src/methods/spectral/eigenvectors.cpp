// Lanczos computes the largest eigenvalue of bound I - M, which is positive semidefinite: it has
// the Krylov spaces of M, and its tolerance is relative to an eigenvalue that is not near 0.
#include "methods/spectral/eigenvectors.hpp"

#include <Spectra/SymEigsSolver.h>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "methods/operations.hpp"
#include "methods/spectral/tuning.hpp"

namespace shiftcut::methods {

namespace {

// bound I - M, with the interface that Spectra expects.
class Flipped {
 public:
  using Scalar = double;

  Flipped(const SymmetricOperator& matrix, const Control& control)
      : matrix_(matrix), control_(control) {}

  [[nodiscard]] Eigen::Index rows() const { return static_cast<Eigen::Index>(matrix_.n); }
  [[nodiscard]] Eigen::Index cols() const { return rows(); }

  void perform_op(const double* in, double* out) const {
    stop_if_asked(control_);
    matrix_.apply(std::span(in, matrix_.n), std::span(out, matrix_.n));
    for (std::size_t i = 0; i < matrix_.n; ++i) {
      out[i] = matrix_.bound * in[i] - out[i];
    }
  }

 private:
  const SymmetricOperator& matrix_;
  const Control& control_;
};

Eigenpair solve_directly(const SymmetricOperator& matrix) {
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

Eigenpair solve_by_lanczos(const SymmetricOperator& matrix, const Control& control) {
  Flipped flipped(matrix, control);
  Spectra::SymEigsSolver<Flipped> solver(flipped, 1, kLanczosVectors);
  solver.init();
  const double tolerance = std::max(kEigenvectorAccuracy * matrix.scale / matrix.bound, 1e-15);
  const auto largest = Spectra::SortRule::LargestAlge;
  const bool converged = solver.compute(largest, kLanczosRestarts, tolerance) == 1;
  if (!converged) {
    solver.compute(largest, 1, 1.0);  // accepts any Ritz vector: the best so far
  }
  const Eigen::VectorXd vector = solver.eigenvectors(1).col(0);
  return {matrix.bound - solver.eigenvalues()[0],
          {vector.data(), vector.data() + vector.size()},
          converged};
}

}  // namespace

Eigenpair lowest_eigenpair(const SymmetricOperator& matrix, const Control& control) {
  return matrix.n <= kDirectSolve ? solve_directly(matrix) : solve_by_lanczos(matrix, control);
}

Eigenpair second_laplacian_eigenpair(const Similarities& similarities,
                                     std::span<const double> weights, ThreadTeam& team,
                                     const Control& control) {
  const std::vector<double> degree = degrees(similarities, team);
  const std::size_t n = degree.size();
  std::vector<double> root(n);      // G^1/2
  std::vector<double> constant(n);  // G^1/2 times the constant vector, of length 1
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
  const double bound =
      steepest > 0 ? 2 * steepest : 1;  // any value will do for a graph without edges
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

// p-spectral clustering minimises, for p from 2 down towards 1 (Buehler, Hein 2009),
//   F_p(u) = sum_{i<j} w_ij |u_i - u_j|^p / min_c sum_i g_i |u_i - c|^p,
// where g = 1 or, normalised, the degrees; its minimum is the second eigenvector of the graph
// p-Laplacian. From the bottom up: sums over a row, the functional, a linear solver, the descent at
// one p, the split of a cluster.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "methods/spectral/recursive_split.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/methods/p_spectral.hpp"

namespace shiftcut::methods {

/// Sums over the entries of a row, with differences d_j = at - v[j]. They are what the p-Laplacian
/// costs, so they use the widest registers there are.
struct RowSums {
  double powers = 0;  // sum of w_j |d_j|^p
  double slopes = 0;  // sum of w_j |d_j|^(p-1) sign(d_j)
};

/// p > 1. The relative error of a power is about 1e-14.
RowSums row_sums(const double* w, const double* v, double at, double p, std::size_t length);

/// out[j] = w_j max(|d_j|, least)^(p-2); least > 0. Returns their sum.
double row_curvatures(const double* w, const double* v, double at, double p, double least,
                      float* out, std::size_t length);

/// sum over j of a[j] * x[j].
double dot_float(const float* a, const double* x, std::size_t length);

/// F_p, its gradient, and the part of its second derivative that Newton's method uses. Shifting or
/// scaling u changes nothing. The indicator of a set A has the value
/// cut (g(A)^(-1/(p-1)) + g(B)^(-1/(p-1)))^(p-1).
class PFunctional {
 public:
  struct Point {
    std::vector<double> u;         // minus the best c: sum g |u|^p is least
    double value = 0;              // F; not a number if u is constant
    double denominator = 0;        // sum g |u|^p
    std::vector<double> gradient;  // of F; it sums to 0
  };

  /// Does not copy the similarities, which must outlive it, and so must the team.
  PFunctional(const Similarities& similarities, std::vector<double> weights, ThreadTeam& team);

  [[nodiscard]] std::size_t size() const { return weights_.size(); }

  /// 1 < p <= 2. One pass over the similarities, one power each.
  [[nodiscard]] Point at(double p, std::vector<double> u) const;

  /// Stores the Laplacian of the weights w_ij |u_i - u_j|^(p-2), in float: n^2 numbers for a
  /// matrix. Differences are taken to be at least 1e-6 of the largest entry, which bounds the
  /// power.
  void curve_at(double p, const Point& point);

  /// The diagonal of that Laplacian.
  [[nodiscard]] const std::vector<double>& curvature_diagonal() const { return diagonal_; }

  /// out = that Laplacian times in.
  void multiply_curvature(std::span<const double> in, std::span<double> out) const;

 private:
  const Similarities& similarities_;
  std::vector<double> weights_;
  ThreadTeam& team_;
  std::vector<float> curvature_;
  std::vector<double> diagonal_;
};

/// The c that minimises sum_i g_i |u_i - c|^p, p > 1, to the last bits.
double best_centre(std::span<const double> u, std::span<const double> weights, double p);

struct MinresOptions {
  double tolerance = 1e-6;  // residual relative to the right-hand side, in the norm of 1/diagonal
  int max_steps = 200;
};

struct MinresResult {
  std::vector<double> solution;
  int steps = 0;
  bool converged = false;
};

/// MINRES (Paige, Saunders 1975) for a symmetric matrix given by its product, preconditioned by a
/// diagonal, all of it above 0. Solves A x = b from x = 0; of a singular but consistent system it
/// returns one of the solutions. Keeps a handful of vectors.
MinresResult minres(
    const std::function<void(std::span<const double>, std::span<double>)>& multiply_with,
    std::span<const double> diagonal, std::span<const double> right, const MinresOptions& options);

/// Minimises F_p at one p: Newton steps on the graph part of the second derivative, gradient steps
/// where those fail, each by Armijo's rule, so that F falls with every step.
struct PDescent {
  PFunctional::Point point;
  std::vector<double> history;  // F at the start and after each step
  bool converged = false;       // stopped before max_steps
};

/// Called after each step; true: stop.
using WatchPoint = std::function<bool(const PFunctional::Point&)>;

/// Stops where the gradient is below 1e-6 of p F / |u|, where ten steps in a row changed F by less
/// than 1e-8 of it, where no step lowers it, when `watch` returns true, or at max_steps. Throws
/// Interrupted.
PDescent p_descend(PFunctional& functional, double p, std::vector<double> u, int max_steps,
                   const WatchPoint& watch, const Control& control);

/// The powers from 2 (not included) down to p, each 0.9 times the one before, the last one p.
std::vector<double> powers_down_to(double p);

/// A graph whose clusters are split, with the weights of its objects. Does not own its data.
struct WeightedGraph {
  const Similarities& similarities;
  std::span<const double> weights;  // g: 1, or degrees; above 0
  std::span<const double> degrees;
};

/// Splits a cluster along the second eigenvector of its p-Laplacian or, if it is disconnected,
/// between its components. `change` is the change of the sum over clusters of cut / g. Adds its
/// steps to `steps`.
Split p_split(const WeightedGraph& graph, std::span<const ObjectId> members,
              const PSpectralOptions& options, ThreadTeam& team, const Control& control,
              int& steps);

}  // namespace shiftcut::methods

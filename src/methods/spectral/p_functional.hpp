// F_p(u) = sum_{i<j} w_ij |u_i - u_j|^p / min_c sum_i g_i |u_i - c|^p, its gradient and the part of
// its second derivative that Newton's method uses (Buehler, Hein 2009). With g = 1 the unnormalised
// functional, with g the degrees the normalised one. Shifts and scales of u change nothing. The
// indicator of a set A has the value cut (g(A)^(-1/(p-1)) + g(B)^(-1/(p-1)))^(p-1).
#pragma once

#include <span>
#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

class PFunctional {
 public:
  struct Point {
    std::vector<double> u;         // the best c subtracted: sum g |u|^p is least
    double value = 0;              // F; not a number if u is constant
    double denominator = 0;        // sum g |u|^p
    std::vector<double> gradient;  // of F; it sums to 0
  };

  /// Looks at the similarities and the team, which must outlive it.
  PFunctional(const Similarities& similarities, std::vector<double> weights, ThreadTeam& team);

  [[nodiscard]] std::size_t size() const { return weights_.size(); }

  /// 1 < p <= 2. One pass over the similarities, one power each.
  [[nodiscard]] Point at(double p, std::vector<double> u) const;

  /// Keeps the Laplacian of the weights w_ij |u_i - u_j|^(p-2), in float: n^2 of them for a matrix.
  /// Differences below 1e-6 of the largest entry count as that, else the power would have no
  /// bound.
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

/// The c that makes sum_i g_i |u_i - c|^p least, p > 1, to the last bits.
double best_centre(std::span<const double> u, std::span<const double> weights, double p);

}  // namespace shiftcut::methods

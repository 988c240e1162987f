// What question strategies score pairs by: how likely objects are in which cluster, by mean field,
// and triangles of similarities that no grouping agrees with.
//
// Mean field: each object is in each cluster with a probability, given those of all others,
//   q_i = softmax over k of beta (sum over j of S_ij q_jk),
// iterated to a fixed point (for correlation clustering: Aronsson and Chehreghani 2024).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace shiftcut {

struct MeanField {
  std::size_t clusters = 0;
  std::vector<double> chances;  // objects x clusters, each row of sum 1

  [[nodiscard]] std::span<const double> of(std::size_t i) const {
    return std::span(chances).subspan(i * clusters, clusters);
  }
  /// The probability that two objects are together.
  [[nodiscard]] double together(std::size_t i, std::size_t j) const;
};

/// `similarities` is m x m with a zero diagonal; `outside`, m x clusters, is what objects not among
/// the m add to the sums (empty: nothing). Starts from `start`, m x clusters, and ends when a round
/// changes q by less than `tolerance` (2-norm), or after `most` rounds.
MeanField mean_field(std::span<const double> similarities, std::span<const double> outside,
                     MeanField start, double beta, int most, double tolerance = 1e-8);

/// -p log p - (1 - p) log(1 - p).
double binary_entropy(double p);

/// Similarities of ij, ik and jk: the sides of a triangle.
using Sides = std::array<double, 3>;

/// Exactly two of the three similarities are positive, so that no grouping agrees with all.
bool is_inconsistent(const Sides& sides);

/// Costs of the five groupings: together, ij | k, ik | j, jk | i, apart. A positive side that is
/// cut, or a negative one within a group, costs its absolute value.
std::array<double, 5> grouping_costs(const Sides& sides);

/// The mean of these costs, weighted by exp(-beta cost).
double expected_cost(const Sides& sides, double beta = 1);

/// The side of the smallest absolute value; of equal ones the first.
std::size_t weakest_side(const Sides& sides);

}  // namespace shiftcut

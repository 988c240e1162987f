// Finding dominant sets: one among the remaining objects, then one after another (peeling), and the
// set that each leftover object joins.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "methods/dominant_sets/dynamics.hpp"
#include "methods/dominant_sets/warm_start.hpp"
#include "shiftcut/methods/dominant_sets.hpp"

namespace shiftcut::methods {

struct FoundSet {
  std::vector<std::uint32_t> positions;  // of the members in the part, ascending
  std::vector<double> weights;           // sum 1
  std::size_t steps = 0;
  bool converged = false;
};

/// Runs the dynamics from the barycentre to a local maximum of B = A + lift. Where the replicator
/// rests and an excluded object would do better than the mean, it is let in; where the dynamics
/// rests on a saddle, it leaves it. None where no two objects have a positive similarity.
///
/// B must not be negative off the diagonal. A replicator run that converges slowly is finished by
/// solve_on_face(). `warm_start`, if not null, has the same objects and lift, and makes the first
/// steps of the replicator.
std::optional<FoundSet> find_dominant_set(const SimilarityPart& part, const Lift& lift,
                                          const DynamicsOptions& options, const Workers& workers,
                                          WarmStart* warm_start = nullptr);

/// Throws std::invalid_argument, naming `method`, for options that are not allowed.
void check_options(const DynamicsOptions& options, std::string_view method);

struct Peeled {
  std::vector<DominantSet> sets;
  std::vector<std::uint32_t> rest;  // objects in no set, ascending
};

/// Finds dominant sets one after another, removing each before the next; at most `most` (0: all).
Peeled peel(const Similarities& similarities, const Lift& lift, const DynamicsOptions& options,
            std::size_t most, const Workers& workers);

/// Labels the objects of `rest`, in one pass, with the set k of the largest sum_j w_kj A_oj over
/// its members, the first of equal ones. `assign`: w_kj = 1/|k|. `extend`: w_kj = x_j / f. No set
/// where all sums are zero. O(n) or O(edges) per object.
void assign_leftovers(const Similarities& similarities, const std::vector<DominantSet>& sets,
                      std::span<const std::uint32_t> rest, Leftovers rule, Labels& labels,
                      const Workers& workers);

/// An upper bound of the largest eigenvalue of A, within about a thousandth of it where power
/// iteration converges: for x > 0 the eigenvalue lies between x^T A x / x^T x and max_i (Ax)_i /
/// x_i (Collatz and Wielandt). Stops early once it is clear on which side of `level` it lies, if
/// that is given.
double eigenvalue_bound(const SimilarityPart& part, std::optional<double> level,
                        const Workers& workers);

}  // namespace shiftcut::methods

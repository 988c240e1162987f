// Dominant sets are the supports of local maxima of f = x^T B x on the simplex: objects play
// against each other, and x_i is the share of object i in the population. The two dynamics here
// climb to a maximum; two further steps get them off a saddle and shorten a slow end.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/thread_team.hpp"
#include "methods/dominant_sets/similarity_part.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut::methods {

/// B = A + everywhere e e^T + diagonal I for similarities A. A shift lambda off the diagonal is
/// {-lambda, lambda}; the hierarchy's alpha is {alpha, -alpha}.
struct Lift {
  double everywhere = 0;
  double diagonal = 0;
};

struct DynamicsLimits {
  double tolerance = 1e-8;
  std::size_t max_steps = 1000;
};

/// Where a run of the dynamics ended.
struct Population {
  std::vector<double> x;
  std::size_t steps = 0;
  bool converged = false;
};

/// The threads to use, and whether the caller wants to stop.
struct Workers {
  ThreadTeam& team;
  const Control& control;
};

/// 1/m each.
std::vector<double> barycentre(std::size_t objects);

/// out = B x; returns f = x^T B x. On the simplex `everywhere` only adds a constant to both.
double payoffs(const SimilarityPart& part, const Lift& lift, std::span<const double> x,
               std::span<double> out, ThreadTeam& team);

/// The shift the replicator can use: `requested`, or, if there is none, the least similarity of two
/// different objects. Throws std::invalid_argument, naming the method, for a shift below 0 or above
/// that least similarity, which would make similarities negative. O(n^2) or O(edges).
double shift_off_diagonal(const Similarities& similarities, std::optional<double> requested,
                          std::string_view method);

/// Replicator dynamics x_i <- x_i (Bx)_i / (x^T B x), along which f = x^T B x never falls (Baum and
/// Eagon 1967; to find dominant sets: Pavan and Pelillo 2007). Runs from `x` until a step moves x
/// by less than the tolerance (2-norm; that last step is not counted) or max_steps are made. B must
/// have no negative entry. Stops at once where f is 0.
///
/// A step takes O(m^2), or O(edges), for the m objects that are left: an object rarer than a
/// hundredth of the tolerance times the most frequent one, with a payoff below the mean, is removed
/// for good, which only raises f. The caller checks whether it should return: find_dominant_set()
/// does.
Population replicate(const SimilarityPart& part, const Lift& lift, std::vector<double> x,
                     const DynamicsLimits& limits, const Workers& workers);

/// Infection and immunization dynamics, InImDyn (Rota Bulo, Pelillo and Bomze 2011): in each step
/// the object whose payoff differs most from the mean either spreads or recedes, by an exact line
/// search, so f never falls and the support becomes exact in finite time. It is Frank-Wolfe with
/// away steps.
///
/// Runs from `x` until |min(x, -r)|_2 is below the tolerance (r the payoffs minus their mean,
/// divided by the largest payoff at the start, so that the unit of the similarities does not
/// matter) or max_steps are made. A step takes O(m) and one row of the similarities;
/// `lift.everywhere` has no effect.
Population infect(const SimilarityPart& part, const Lift& lift, std::vector<double> x,
                  const DynamicsLimits& limits, const Workers& workers);

/// Leaves a point where the dynamics rests although f has no local maximum there: starting from the
/// barycentre it stays where objects are alike, as between two equal clusters with no edge between
/// them. Looks for a direction d on the support of `x` (sum 0) with d^T B d > 0, by power
/// iteration, and moves `x` along it, uphill, until an object vanishes: f does not fall. False,
/// with x unchanged, if no direction is found. A few products with the support's part of B.
bool leave_saddle(const SimilarityPart& part, const Lift& lift, std::vector<double>& x,
                  const Workers& workers);

/// Computes the end point of a slow replicator run. Where f is strictly concave on the face of the
/// simplex on which x lies, it has one maximum there, and replicator dynamics from any point inside
/// the face converges to it, because f grows along the way and it rests only where payoffs are
/// equal. An active set method finds that maximum, with a Cholesky factor for each set it tries,
/// starting from the objects above `support` times the largest entry.
///
/// Moves `x` to the maximum, exactly 0 for the objects that die out, and returns true. False, with
/// x unchanged, where f is not strictly concave on the face, where too many objects are left
/// (O(s^3) for each set of s objects tried), or where too many sets would have to be tried.
bool solve_on_face(const SimilarityPart& part, const Lift& lift, double support,
                   std::vector<double>& x, const Workers& workers);

}  // namespace shiftcut::methods

// Dominant sets (Pavan and Pelillo 2007): clusters as the local maxima of f(x) = x^T A x over the
// simplex, found one by one. Those with x_i > 0 are the cluster, x_i says how central each is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

enum class Dynamics {
  replicator,  // x_i <- x_i (Ax)_i / f: all objects at once, O(n^2) or O(edges) a step
  infection    // InImDyn (Rota Bulo, Pelillo and Bomze 2011): one object a step, O(n)
};

/// How one set is found.
struct DynamicsOptions {
  Dynamics dynamics = Dynamics::replicator;
  /// Replicator: a step that moves x by less (2-norm) is the last. Infection: ends where the
  /// conditions of a local maximum hold to that much.
  double tolerance = 1e-8;
  /// A set. 0: max(10^4, 10^(ceil(log10 n) + 1)), ten times that for infection.
  std::size_t max_steps = 0;
  double support = 1e-5;  // members are those with x_i above so much of the largest
};

/// What becomes of the objects in no set.
enum class Leftovers {
  none,    // label -1
  assign,  // the set of the largest mean similarity
  extend   // the set of the largest (Ax)_i / f, the out-of-sample rule of Pavan and Pelillo (2004)
};

struct DominantSetsOptions {
  DynamicsOptions search;
  std::size_t sets = 0;  // at most so many; 0: until no positive similarity is left
  Leftovers leftovers = Leftovers::assign;
  /// Subtracted from the similarities of different objects within the dynamics (Chehreghani 2016):
  /// maximises f(x) + shift x^T x, which separates sooner and prefers smaller sets. 0 up to the
  /// least similarity of two objects; none: that least one.
  std::optional<double> shift = 0.0;
  int threads = 1;  // 0: one a core; never changes the result
};

struct DominantSet {
  std::vector<std::uint32_t> members;  // ascending
  std::vector<double> weights;         // x of the members; sum 1
  double cohesiveness = 0;             // f(x) of the similarities as given, without the shift
  std::size_t steps = 0;
  bool converged = false;  // false: max_steps came first
};

struct DominantSetsResult {
  Labels labels;  // the set of each object, in the order found; -1: in none
  std::vector<DominantSet> sets;
  std::size_t assigned_before = 0;  // objects in sets
  std::size_t assigned_after = 0;   // and after the leftovers were given to them
  double shift = 0;                 // the one used
};

/// Finds a set, takes its members away, and starts again with the rest from the barycentre, until
/// there are enough sets, or no two objects with a positive similarity. A leftover that has no
/// positive similarity to any set keeps the label -1; sets do not change while leftovers are given
/// out.
///
/// The replicator takes its first steps on many objects with payoffs right to about six digits, and
/// is spared the last ones, by thousands, where the maximum it goes to can be solved for.
///
/// Similarities must not be negative; the diagonal is taken as zero. Copies take less than the
/// memory of a matrix given. Throws std::invalid_argument,
/// or Interrupted when asked to stop.
DominantSetsResult dominant_sets(const Similarities& similarities,
                                 const DominantSetsOptions& options = {},
                                 const Control& control = {});

}  // namespace shiftcut::methods

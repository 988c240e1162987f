// Dominant sets (Pavan and Pelillo 2007): clusters as the local maxima of f(x) = x^T A x over the
// simplex, found one by one. The objects with x_i > 0 are the cluster, and x_i says how central
// each is. Also a hierarchy of them, and clusters cut from the trajectories of the dynamics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

enum class Dynamics {
  replicator,  // x_i <- x_i (Ax)_i / f: all objects in each step, O(n^2) or O(edges)
  infection    // InImDyn (Rota Bulo, Pelillo and Bomze 2011): one object in each step, O(n)
};

/// How a set is found.
struct DynamicsOptions {
  Dynamics dynamics = Dynamics::replicator;
  /// Replicator: stops at a step that moves x by less (2-norm). Infection: stops where the
  /// conditions of a local maximum hold to this accuracy.
  double tolerance = 1e-8;
  /// Per set. 0: max(10^4, 10^(ceil(log10 n) + 1)), ten times that for infection.
  std::size_t max_steps = 0;
  double support = 1e-5;  // members have x_i above this fraction of the largest
};

/// What happens to the objects in no set.
enum class Leftovers {
  none,    // label -1
  assign,  // the set of the largest mean similarity
  extend   // the set of the largest (Ax)_i / f, the out-of-sample rule of Pavan and Pelillo (2004)
};

struct DominantSetsOptions {
  DynamicsOptions search;
  std::size_t sets = 0;  // at most; 0: until no positive similarity is left
  Leftovers leftovers = Leftovers::assign;
  /// Subtracted from the similarities of different objects within the dynamics (Chehreghani 2016):
  /// maximises f(x) + shift x^T x, which separates sooner and prefers smaller sets. From 0 to the
  /// least similarity of two objects; none: the least similarity.
  std::optional<double> shift = 0.0;
  int threads = 1;  // 0: one per core; never changes the result
};

struct DominantSet {
  std::vector<std::uint32_t> members;  // ascending
  std::vector<double> weights;         // x of the members; sum 1
  double cohesiveness = 0;             // f(x) of the similarities as given, without the shift
  std::size_t steps = 0;
  bool converged = false;  // false: max_steps was reached first
};

struct DominantSetsResult {
  Labels labels;  // the set of each object, in the order found; -1: in none
  std::vector<DominantSet> sets;
  std::size_t assigned_before = 0;  // objects in sets
  std::size_t assigned_after = 0;   // objects with a label, after leftovers were assigned
  double shift = 0;                 // the one used
};

/// Finds a set, removes its members, and starts again from the barycentre of the rest, until there
/// are enough sets, or no two objects with a positive similarity are left. A leftover object
/// without a positive similarity to any set keeps the label -1; sets do not change while leftovers
/// are assigned.
///
/// With many objects, the replicator makes its first steps in single precision; where its end point
/// can be solved for, thousands of last steps are saved.
///
/// Similarities must not be negative; the diagonal is taken to be zero. Copies take less memory
/// than the matrix given. Throws std::invalid_argument, or Interrupted when asked to stop.
DominantSetsResult dominant_sets(const Similarities& similarities,
                                 const DominantSetsOptions& options = {},
                                 const Control& control = {});

/// A hierarchy of dominant sets (Pavan and Pelillo 2003): the larger alpha, the larger the sets
/// that x^T (A - alpha I) x favours. Above the largest eigenvalue of A all objects form one
/// cluster; as alpha falls, clusters split, and at 0 they are plain dominant sets.
struct DominantSetHierarchyOptions {
  /// The replicator needs similarities raised by alpha off the diagonal, which makes it slow;
  /// infection does not.
  DynamicsOptions search = {.dynamics = Dynamics::infection};
  double factor = 0.8;      // of alpha, from each level to the next
  std::size_t levels = 20;  // at most, with the first (one cluster) and the last (alpha 0)
  std::size_t enough = 0;   // stop at this many clusters; 0: go on to alpha 0
  int threads = 1;          // 0: one per core; never changes the result
};

struct DominantSetLevel {
  double alpha = 0;
  Labels labels;  // in the order of the clusters' first objects
  std::size_t clusters = 0;
  std::size_t steps = 0;  // of the dynamics, from the level before to this one
  bool converged = true;  // false: max_steps was reached first for some cluster
};

/// Levels from one cluster to many. Each level subdivides the clusters of the one before, by
/// peeling every cluster separately. An object left over is a cluster of its own, so every object
/// has a label. The first alpha is an upper bound of the largest eigenvalue of A. Input as for
/// dominant_sets().
std::vector<DominantSetLevel> dominant_set_hierarchy(
    const Similarities& similarities, const DominantSetHierarchyOptions& options = {},
    const Control& control = {});

/// Clusters from the trajectories of replicator dynamics (Chehreghani 2016): long before it rests,
/// x shows a gap between the objects that will survive and the others. Clusters are cut at that
/// gap, one by one.
struct DominantSetTrajectoriesOptions {
  std::size_t clusters = 2;
  std::size_t steps = 40;       // of the replicator, per cluster
  std::size_t min_size = 2;     // smaller clusters are dissolved at the end
  std::size_t max_cuts = 0;     // 0: ten times the clusters
  std::optional<double> shift;  // as for dominant_sets(); none: the least similarity
  int threads = 1;              // 0: one per core; never changes the result
};

struct DominantSetTrajectoriesResult {
  Labels labels;             // in the order of the clusters' first objects; -1: in none
  std::size_t clusters = 0;  // fewer than requested where no cut was left to make
  std::size_t cuts = 0;
  std::size_t dissolved = 0;  // clusters that were too small
  double shift = 0;           // the one used
};

/// Starts with all objects in one cluster. Every cluster has a candidate cut: make `steps`
/// replicator steps from its barycentre, sort x, and cut at the largest gap. The cut that most
/// raises the sum over clusters of |k| f(barycentre of k) is made (our choice: the paper's gain of
/// the objective, with every object counted once), until there are enough clusters of `min_size` or
/// more. Objects of smaller clusters then join the cluster of the largest mean similarity, or keep
/// the label -1 if they are similar to none. Input as for dominant_sets().
DominantSetTrajectoriesResult dominant_set_trajectories(
    const Similarities& similarities, const DominantSetTrajectoriesOptions& options = {},
    const Control& control = {});

}  // namespace shiftcut::methods

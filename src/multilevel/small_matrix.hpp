// Local search on a small matrix of S that stays in the cache: a table of affinities in float32,
// one thread. A hundred such descents take a millisecond. The result is a local optimum up to
// float32 rounding; a descent on the problem itself follows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "multilevel/level.hpp"

namespace shiftcut {

/// Symmetric: S of single objects, or of sets of them (then S_ab sums over pairs). The diagonal is
/// stored separately, as no move depends on it.
struct SmallMatrix {
  std::size_t n = 0;
  std::vector<float> values;     // n x n, 0 on the diagonal
  std::vector<double> diagonal;  // S_ii
  double rounding = 0;           // error bound for sums of the values, roughly

  explicit SmallMatrix(std::size_t size) : n(size), values(size * size, 0.0F), diagonal(size) {}
  [[nodiscard]] const float* row(std::size_t i) const { return &values[i * n]; }
  [[nodiscard]] float* row(std::size_t i) { return &values[i * n]; }
  /// To be called once all rows are written.
  void separate_diagonal();
};

/// S of the nodes of a level.
SmallMatrix small_matrix(const SparseLevel& level);

/// Rows of S summed over groups: sums[g][j] = sum of S_ij over i in g, i = j left out.
std::vector<float> group_sums(const SmallMatrix& s, std::span<const ClusterId> groups,
                              std::size_t count);
/// S of the groups themselves, from those sums.
SmallMatrix between_groups(const SmallMatrix& s, const std::vector<float>& sums,
                           std::span<const ClusterId> groups, std::size_t count);

class SmallDescent {
 public:
  /// At most `slots` clusters; a gain must exceed `tolerance` plus the rounding error.
  SmallDescent(const SmallMatrix& s, std::size_t slots, double tolerance);

  /// Starts from labels below `slots`. O(n^2).
  void begin(std::span<const ClusterId> labels);
  /// The same for groups: all of group g gets labels[g]. O(groups n).
  void begin(std::span<const ClusterId> groups, std::span<const ClusterId> labels,
             const std::vector<float>& sums);
  /// Moves objects to their best clusters, in random order, until none would move: a single-move
  /// local optimum.
  void run(Rng& rng);
  /// Starts over from random labels, `times` times; keeps the lowest cost of all.
  void restart(int times, const Context& context);
  /// Perturbs the solution `trials` times: part of a cluster moves to another, or two are merged
  /// and one is split; a descent follows, and the result is kept if it is lower.
  void perturb(int trials, const Context& context);

  [[nodiscard]] double cost() const;
  [[nodiscard]] const std::vector<ClusterId>& labels() const { return labels_; }

 private:
  void begin_at_random(Rng& rng);
  void move_to_best(ObjectId i);
  void move(ObjectId i, ClusterId to);
  template <class Change>
  void keep_lowest(int times, const Change& change, const Context& context);
  void merge_or_split(Rng& rng);
  void split(ClusterId from, ClusterId to, std::uint32_t draws, Rng& rng);
  ObjectId any_of(ClusterId cluster, Rng& rng) const;

  const SmallMatrix& s_;
  std::size_t slots_;
  float tolerance_;
  std::vector<ClusterId> labels_;
  std::vector<float> table_;      // slots x n: the affinity of each object to each cluster
  std::vector<ObjectId> movers_;  // the objects of a sweep that would move
};

}  // namespace shiftcut

// Local search on a small matrix of S that stays in the cache: a table of sums in float32, no
// threads. A hundred such descents take a millisecond. What they find is nearly a local optimum: a
// descent on the problem itself ends it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "multilevel/level.hpp"

namespace shiftcut {

/// Symmetric: S of single objects, or of groups of them (then S_ab sums over pairs). The diagonal
/// is kept apart, as no move depends on it.
struct SmallMatrix {
  std::size_t n = 0;
  std::vector<float> values;     // n x n, 0 on the diagonal
  std::vector<double> diagonal;  // S_ii
  double rounding = 0;           // what sums of the values may be off by, roughly

  explicit SmallMatrix(std::size_t size) : n(size), values(size * size, 0.0F), diagonal(size) {}
  [[nodiscard]] const float* row(std::size_t i) const { return &values[i * n]; }
  [[nodiscard]] float* row(std::size_t i) { return &values[i * n]; }
  /// Once the rows are written in full.
  void set_diagonal_apart();
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
  /// At most `slots` clusters; gains count above `tolerance` and what roundings may amount to.
  SmallDescent(const SmallMatrix& s, std::size_t slots, double tolerance);

  /// Starts from labels below `slots`. O(n^2).
  void begin(std::span<const ClusterId> labels);
  /// The same where groups move as one: group g goes to labels[g]. O(groups n).
  void begin(std::span<const ClusterId> groups, std::span<const ClusterId> labels,
             const std::vector<float>& sums);
  void begin_at_random(Rng& rng);
  /// Objects that would move go to their best clusters, in random order, until there are none: a
  /// single-move local optimum.
  void run(Rng& rng);
  /// Random labels instead of the answer, `times`; the lowest of all is kept.
  void restart(int times, const Context& context);
  /// Changes of the answer: part of a cluster goes elsewhere, or two become one and another two;
  /// each descends again and is kept if lower. `trials` of them.
  void improve(int trials, const Context& context);

  [[nodiscard]] double cost() const;
  [[nodiscard]] const std::vector<ClusterId>& labels() const { return labels_; }

 private:
  void move_to_best(ObjectId i);
  void move(ObjectId i, ClusterId to);
  template <class Change>
  void keep_lowest(int times, const Change& change, const Context& context);
  void change(Rng& rng);
  void split(ClusterId from, ClusterId to, std::uint32_t draws, Rng& rng);
  ObjectId any_of(ClusterId cluster, Rng& rng) const;

  const SmallMatrix& s_;
  std::size_t slots_;
  float tolerance_;
  std::vector<ClusterId> labels_;
  std::vector<float> table_;      // slots x n: the affinity of each object to each cluster
  std::vector<ObjectId> movers_;  // the first of them, in a sweep
};

}  // namespace shiftcut

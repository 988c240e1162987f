// Whether the clusters that were found could be those of noise: the statistics of a vote
// (null_model.hpp) and of the densities where clusters meet (separation.hpp), against their levels.
#pragma once

#include <cstddef>
#include <vector>

#include "neighbors/trees/spanning_tree.hpp"
#include "strength/election.hpp"
#include "strength/null_model.hpp"
#include "strength/path_graph.hpp"

namespace shiftcut {

class NoiseTest {
 public:
  /// Without distances, with few distinct rows that repeat, or where it is not `wanted`, it finds
  /// no noise. Both must outlive it.
  NoiseTest(const PathGraph& graph, const NeighborDistances* distances, bool wanted);

  /// Intrinsic; 0: unknown.
  [[nodiscard]] double dimension() const { return dimension_; }
  /// Of the winner; 0 where nothing is tested.
  [[nodiscard]] double dip_of(const Election& election) const;
  /// K free: `most_stable` is the largest length * share^2 of a plateau, `dip` the largest of the
  /// winners.
  [[nodiscard]] bool is_noise(double most_stable, double dip) const;
  /// K given: `score` is the winner's share of all weights.
  [[nodiscard]] bool is_like_noise(const Election& election, double score,
                                   std::size_t clusters) const;

 private:
  [[nodiscard]] NoiseSpace space() const;

  const PathGraph& graph_;
  const NeighborDistances* distances_;
  bool applies_;
  double dimension_ = 0;  // where neighbours are
  double spread_ = 0;     // of all objects; 0: unknown
};

}  // namespace shiftcut

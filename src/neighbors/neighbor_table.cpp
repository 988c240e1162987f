
#include "core/message.hpp"
#include "core/thread_team.hpp"
#include "neighbors/cosine_neighbors.hpp"
#include "neighbors/nearest_neighbors.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "shiftcut/neighbors.hpp"
#include "similarity/feature_rows.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

static_assert(kNobody == kNoNeighbor);

NeighborTable neighbor_table(const Input& input, const SimilarityOptions& how, int threads,
                             const Control& control) {
  if (input.shape != Shape::features || input.objects() == 0) {
    refuse("not_applicable", "", "{}: found no features; allowed: 1 or more rows of features",
           input.name);
  }
  ThreadTeam team(threads);
  StopCheck stop(control, Clock::now(), 0);
  const StopScope scope(team, stop);
  const std::size_t k = neighbors_for(how.neighbors, input.objects());
  const auto found = [&] {
    if (const auto* sparse = std::get_if<SparseMatrix>(&input.values)) {
      return cosine_neighbors(*sparse, k, team, control);
    }
    const auto& dense = std::get<DenseArray>(input.values);
    Scaling scaling = scaling_of(dense, how.scale, input.name, team);
    weigh(scaling, how.feature_weights);
    return nearest_neighbors(FeatureRows::scaled(dense, scaling), k, team, control);
  };
  NeighborLists lists = found();
  return {lists.n, lists.k, std::move(lists.ids), std::move(lists.squared)};
}

}  // namespace shiftcut

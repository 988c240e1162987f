#include <stdexcept>

#include <fmt/format.h>

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
  if (input.shape != Shape::features || input.objects() == 0 || how.neighbors < 1) {
    throw std::invalid_argument(
        fmt::format("{}: found no features or no neighbours to look for; allowed: rows of features "
                    "and 1 or more neighbours",
                    input.name));
  }
  ThreadTeam team(threads);
  const auto found = [&] {
    if (const auto* sparse = std::get_if<SparseMatrix>(&input.values)) {
      return cosine_neighbors(*sparse, how.neighbors, team, control);
    }
    const auto& dense = std::get<DenseArray>(input.values);
    const Scaling scaling = scaling_of(dense, how.scale, input.name, team);
    return nearest_neighbors(FeatureRows::scaled(dense, scaling), how.neighbors, team, control);
  };
  NeighborLists lists = found();
  return {lists.n, lists.k, std::move(lists.ids), std::move(lists.squared)};
}

}  // namespace shiftcut

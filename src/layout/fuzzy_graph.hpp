// How strongly the map holds neighbours together: a symmetric graph with weights in (0, 1].
//
// As in UMAP (McInnes, Healy, Melville 2018): the neighbours of i get weights p_ij that fall from 1
// for the nearest and sum to log2(k + 1), and an edge has the weight of the fuzzy union,
// p_ij + p_ji - p_ij p_ji. UMAP fits exp(-(d - d_nearest) / width) to the distances d; here they
// fall with the rank r of the neighbour, exp(-r / width), which needs no distances, is the same for
// every metric, and as good (tuning.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/neighbors.hpp"

namespace shiftcut {

struct FuzzyGraph {
  std::vector<std::size_t> offsets;   // n + 1
  std::vector<std::uint32_t> others;  // ascending in each row
  std::vector<float> weights;

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
};

FuzzyGraph fuzzy_graph(const NeighborTable& neighbors, ThreadTeam& team);

/// Of a given graph: p_ij is the edge's weight over the largest of i; the strongest edges of each
/// node are kept. Edges of weight 0 or less and loops hold nothing together.
FuzzyGraph fuzzy_graph(const SparseMatrix& graph, ThreadTeam& team);

}  // namespace shiftcut

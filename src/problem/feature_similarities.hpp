// Similarities of features, dense or sparse, and those of nearest neighbours, whatever they were
// found among: parts of make_similarities().
#pragma once

#include <string>
#include <vector>

#include "core/thread_team.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "problem/similarities.hpp"

namespace shiftcut {

/// `graph` between objects that stand for several rows: an edge is the sum over pairs of rows.
/// Equal rows have similarity 1 with each other, and like every row 0 with itself.
SparseMatrix weighted(SparseMatrix graph, const NodeWeights& weights);

/// The scale, and why where it was chosen.
struct NamedScale {
  std::string word = {};    // NOLINT(readability-redundant-member-init)
  std::string reason = {};  // NOLINT(readability-redundant-member-init)
};

/// The graph of these neighbours. The lists are kept, and their distances.
Similarities from_neighbors(NeighborLists lists, const SimilarityOptions& options,
                            const NodeWeights& weights, NeighborDistances distances,
                            NamedScale scale, std::vector<Message> warnings, ThreadTeam& team);

/// `data` are those of `input`.
Similarities from_dense_features(const DenseArray& data, const Input& input,
                                 const NodeWeights& weights, const SimilarityOptions& options,
                                 ThreadTeam& team, const Control& control);

/// Adds the scaling that `options` ask for, and the distances of rows scaled so.
void add_row_distances(const DenseArray& data, const std::string& name,
                       const SimilarityOptions& options, ThreadTeam& team, Similarities& made);

/// Of any two rows, where the metric is the cosine. `rows` outlive the result.
NeighborDistances distances_of_sparse_rows(const SparseMatrix& rows, Metric metric);

/// `rows` outlive the result.
Similarities from_sparse_features(const SparseMatrix& rows, const NodeWeights& weights,
                                  const SimilarityOptions& options, ThreadTeam& team,
                                  const Control& control);

}  // namespace shiftcut

// Similarities X of the objects, before any shift, in the form that fits the data: products of
// feature rows, a full matrix, or the edges of a graph.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "neighbors/trees/spanning_tree.hpp"
#include "problem/linkage_shift.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/features.hpp"
#include "shiftcut/message.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// Linear (squared Euclidean) or cosine similarity of dense rows: X is never stored.
struct RowProducts {
  FeatureRows rows;  // FeatureRows::centred under linear, unit_centred under cosine
  Similarity kind = Similarity::linear;
};

/// The same for sparse rows, which are used as they are.
struct SparseRowProducts {
  const SparseMatrix* rows = nullptr;
  Similarity kind = Similarity::linear;
};

struct FullMatrix {
  DenseArray values;
  bool are_distances = false;  // X_ij = max(D) + min(D) - D_ij
};

/// X is 0 where there is no edge.
struct GraphEdges {
  std::shared_ptr<const SparseMatrix> edges;
};

struct Similarities {
  std::variant<RowProducts, SparseRowProducts, FullMatrix, GraphEdges> view;
  std::string similarity;         // "linear", "cosine", "rbf", "neighbors", "precomputed"
  std::string distance;           // under linear
  std::string scale;              // of features
  std::vector<Message> warnings;  // about the data
  // NOLINTBEGIN(readability-redundant-member-init)
  FeatureScaling scaling = {};    // of dense features
  std::string scale_reason = {};  // why it was chosen; empty: it was given
  std::string metric = {};        // of the neighbours of features
  std::string name = {};          // of the input, for messages
  std::size_t objects = 0;
  NodeWeights weights = {};   // of the objects: how many rows each stands for
  bool are_log_odds = false;  // whose shift is linkage by default
  std::shared_ptr<const LinkageShift> linkage = {};         // of them, once it was computed
  std::shared_ptr<const NeighborTable> neighbors = {};      // that a neighbour graph was made of
  std::shared_ptr<const NeighborDistances> distances = {};  // of its objects, while they are needed
  // NOLINTEND(readability-redundant-member-init)

  [[nodiscard]] bool are_given() const { return similarity == "precomputed"; }
};

/// With what `automatic` stands for in the kind of similarity and in the metric, given these data:
/// rows of words (features of nearly all zeros) have the cosine similarity, all other features and
/// distances have neighbours. `needs_graph` and options that apply to neighbours ask for these.
SimilarityOptions chosen_similarity(const Input& input, SimilarityOptions options, bool needs_graph,
                                    ThreadTeam& team);

/// The same of features, from the share of zeros among their numbers (share_of_zeros()).
SimilarityOptions chosen_by_zeros(SimilarityOptions options, bool needs_graph, bool is_sparse,
                                  double zeros);

/// Features become products of rows or a neighbour graph where the similarity allows it, else an
/// n x n matrix; matrices and graphs are taken as they are. The result refers to `input`, which
/// must outlive it. Throws InvalidArgument for combinations that make no sense, and Interrupted
/// under a StopScope.
Similarities make_similarities(const Input& input, const SimilarityOptions& options,
                               ThreadTeam& team, const Control& control);

/// The graph of neighbours found before, without searching for them again; `weights` of the
/// objects, or none.
Similarities similarities_of_neighbors(const NeighborTable& neighbors,
                                       const SimilarityOptions& options,
                                       std::vector<double> weights, ThreadTeam& team);

/// The same for rows of features, with the scaling of `options` and the distances of any two rows,
/// as make_similarities() has them after a search. `input` must outlive the result.
Similarities similarities_of_neighbors(const NeighborTable& neighbors, const Input& input,
                                       const SimilarityOptions& options, ThreadTeam& team);

}  // namespace shiftcut

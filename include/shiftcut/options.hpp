// The options of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include "shiftcut/data.hpp"

namespace shiftcut {

enum class Scale {
  automatic,  // standard or none, whichever lets the columns agree more on which rows are near
  standard,   // (x - mean) / population deviation; a constant column becomes 0
  minmax,     // (x - min) / (max - min); a constant column becomes 0
  none,
};

enum class Similarity {
  linear,
  cosine,
  rbf,
  neighbors,
  automatic,  // neighbors for features and distances; other matrices and graphs as they are
};
/// What makes rows near each other, under neighbors.
enum class Metric {
  automatic,    // euclidean; cosine for sparse rows and for rows of mostly zeros
  euclidean,    // sqrt(sum (x - y)^2)
  cosine,       // the angle: Euclidean after scaling rows to unit length
  correlation,  // the same after subtracting each row's own mean
  manhattan,    // sum |x - y|
  chebyshev,    // max |x - y|
  canberra,     // sum |x - y| / (|x| + |y|)
  braycurtis,   // sum |x - y| / sum |x + y|
  hamming,      // the share of columns that differ
  jaccard,      // 1 - (columns where both are not 0) / (columns where either is not 0)
};
/// Weights of the edges of a neighbour graph, or what those of a given graph mean.
enum class Weights {
  shared,    // Jaccard overlap of the two objects' neighbours
  binary,    // 1
  gaussian,  // exp(-d^2 / (s_i s_j)), s the distance to the last neighbour
  log_odds,  // of a given graph of probabilities that two objects are the same: log(p / (1 - p))
};
enum class Distance { sqeuclidean, euclidean };
enum class ShiftKind {
  by_default,  // automatic for neighbour graphs, linkage for log-odds, else adaptive
  automatic,   // for graphs: linkage for log-odds, else adaptive, the strength chosen from a path
  adaptive,
  constant,
  none,
  matrix,
  degree,   // alpha_ij = r_i r_j / sum of r: the cost is modularity, strength its resolution
  linkage,  // of log-odds: a for pairs without a probability, and a higher prior for the ends of
            // paths of two likely matches (docs/linkage.md)
};
enum class Method {
  automatic,  // a portfolio of the others
  local_search,
  multilevel,
  annealing,
  frank_wolfe,
};

/// X from features, or the neighbours in a matrix of distances or similarities; else X is given and
/// these do not apply.
struct SimilarityOptions {
  Scale scale = Scale::automatic;
  Similarity kind = Similarity::automatic;
  Metric metric = Metric::automatic;          // under neighbors of features
  Distance distance = Distance::sqeuclidean;  // under linear; euclidean needs an n x n matrix
  std::optional<double> sigma;  // under rbf: exp(-d^2 / sigma^2); empty: self-tuned per object
  std::size_t neighbors = 0;    // under neighbors: joined to each object, 1 to 1000;
                                // 0: 10, or a quarter of the objects below 40 of them
  Weights weights = Weights::shared;  // under neighbors
  /// Rows above which neighbours are searched region by region (blocks.hpp); 0: 2^20, or fewer of
  /// more than 128 columns. Another number is another approximation.
  std::size_t region_rows = 0;
  /// How much the square of each scaled feature counts: 0 or more, one per feature of a dense
  /// table; empty: 1 each.
  std::vector<double> feature_weights;
};

/// S_ij = X_ij - strength * alpha_ij.
struct ShiftOptions {
  ShiftKind kind = ShiftKind::by_default;
  double strength = 1;                            // other than 1: `by_default` is not automatic
  double constant = 0;                            // alpha, for ShiftKind::constant
  std::variant<DenseArray, SparseMatrix> matrix;  // alpha, for ShiftKind::matrix
};

/// Two objects known to belong together, or not to.
struct ObjectPair {
  static constexpr double kCertain = std::numeric_limits<double>::infinity();

  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double weight = kCertain;  // above 0; if finite, it is added to S_ab or subtracted from it
};

/// Certain pairs are satisfied by every result. Pairs with a weight are evidence that adds to the
/// similarities: with log-odds as similarities, the weight is the pair's log-odds.
struct LinkOptions {
  std::vector<ObjectPair> must_link;
  std::vector<ObjectPair> cannot_link;
  /// Also learns from the pairs what they say about all others: how much each feature counts, and
  /// on graphs how strong the shift is, both only where the pairs are satisfied better for it.
  bool learn = false;
  /// A group for each object, below 0: none. No two objects of a group share a cluster in any
  /// result, as if every pair of them were a certain cannot-link; empty: no groups.
  std::vector<std::int32_t> one_per_cluster = {};  // NOLINT(readability-redundant-member-init)

  [[nodiscard]] bool empty() const {
    return must_link.empty() && cannot_link.empty() && one_per_cluster.empty();
  }
};

struct SearchOptions {
  std::optional<std::size_t> clusters;  // at most this many; empty: an object may open a new one
  /// Objects of a cluster, whatever their weights: kept by every result. With K given and a least
  /// size, all K clusters are in use. 0: no bound.
  std::size_t min_size = 0;
  std::size_t max_size = 0;
  Method method = Method::automatic;
  int restarts = 10;  // time grows with them, the cost falls
  std::uint64_t seed = 0;
  int threads = 0;         // 0: all cores; never changes the result
  double max_seconds = 0;  // 0: no limit; after it the best so far is returned
};

struct Options {
  SimilarityOptions similarity;
  ShiftOptions shift;
  LinkOptions links;
  SearchOptions search;
};

/// The paper's pipeline: standard scaling, linear similarity on plain Euclidean distances, adaptive
/// shift, local search, 100 restarts.
Options paper_preset();

}  // namespace shiftcut

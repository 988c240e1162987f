// Reliable agglomerative clustering: every round merges all pairs of clusters that are each other's
// nearest neighbours, so that a few rounds replace n - 1 single merges. The distances of a merged
// cluster follow the formula of Lance and Williams (1967),
//   d(ij, k) = a_i d_ik + a_j d_jk + b d_ij + g |d_ik - d_jk|
// For the reducible linkages below, d(ij, k) is never less than min(d_ik, d_jk) when i and j are
// mutual nearest neighbours: merging one such pair leaves the others mutual, and the tree is the
// one that merging the nearest pair each time builds. The centroid and median linkages are not
// reducible and are rejected.
//
// Of equally near neighbours, the one with the lowest first object counts. O(n^2) memory for one
// working copy of the distances; typically O(n^2) time. It is O(n^3), with a small factor, where
// almost all clusters stay nearest to one that merges in every round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

enum class Linkage { single, complete, average, ward };

/// By the names above. Throws std::invalid_argument for others, with the reason for those that are
/// not reducible.
Linkage linkage_named(std::string_view name);

struct AgglomerativeOptions {
  Linkage linkage = Linkage::average;
  /// For ward, which works on squared Euclidean distances: the distances are already squared. Its
  /// heights are then squared too; otherwise they are sqrt(2 n_u n_v / (n_u + n_v)) |centre
  /// distance|.
  bool squared = false;
  int threads = 0;  // 0: all
};

struct Merge {
  std::uint32_t first = 0;   // the lowest object of one cluster,
  std::uint32_t second = 0;  // and, higher, of the other
  double height = 0;         // their distance
  int round = 0;             // from 1
};

struct AgglomerativeTree {
  std::size_t objects = 0;
  std::vector<Merge> merges;  // n - 1 of them, by round, then by height
};

/// `distances` are n x n doubles, symmetric (the upper triangle is read), finite, 0 or more; the
/// diagonal is ignored. Throws std::invalid_argument for others, std::runtime_error where the
/// working copy does not fit into memory, Interrupted when asked to stop.
AgglomerativeTree reliable_agglomerative(const DenseArray& distances,
                                         const AgglomerativeOptions& options,
                                         const Control& control = {});

/// The tree as SciPy's linkage matrix: (n - 1) x 4, by height. Row t merges the two clusters in its
/// first columns into cluster n + t; then come its height and size.
struct LinkageMatrix {
  std::vector<double> rows;
  std::vector<std::int32_t> rounds;  // of each row
};
LinkageMatrix linkage_matrix(const AgglomerativeTree& tree);

/// The grouping into K clusters that the rounds pass through, with only the lowest merges of the
/// last round; 0 is the largest cluster. (Cutting the tree by height may give another one.) Throws
/// std::invalid_argument unless K is in 1 .. n.
Labels labels_at(const AgglomerativeTree& tree, std::size_t clusters);

}  // namespace shiftcut::methods

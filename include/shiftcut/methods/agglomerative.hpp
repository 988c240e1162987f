// Reliable agglomerative clustering: in every round all pairs of clusters that are each other's
// nearest are merged, so that a few rounds do what one merge at a time takes n - 1 steps for. The
// distances of a merged cluster follow the formula of Lance and Williams (1967),
//   d(ij, k) = a_i d_ik + a_j d_jk + b d_ij + g |d_ik - d_jk|
// For the reducible linkages below, d(ij, k) is never less than min(d_ik, d_jk) when i and j are
// nearest to each other: merging one mutual pair then leaves the others mutual, and the tree is
// that of merging the nearest pair each time. The centroid and median linkages are not reducible,
// and refused.
//
// Of neighbours equally near, the one with the lowest first object counts. O(n^2) memory for one
// working copy of the distances; O(n^2) time as a rule. Where almost all clusters stay nearest to
// one that merges every round it is O(n^3), with a small factor.
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

/// By the names above. Throws std::invalid_argument for others, and says why for those that are not
/// reducible.
Linkage linkage_named(std::string_view name);

struct AgglomerativeOptions {
  Linkage linkage = Linkage::average;
  /// Of ward, which works on squared Euclidean distances: the distances are squared already. Its
  /// heights are then squared too; else they are sqrt(2 n_u n_v / (n_u + n_v)) |centre distance|.
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

/// `distances` are n x n of double, symmetric (the upper triangle is read), finite, 0 or more; the
/// diagonal is not looked at. Throws std::invalid_argument for others, std::runtime_error where the
/// working copy does not fit into memory, Interrupted when told to stop.
AgglomerativeTree reliable_agglomerative(const DenseArray& distances,
                                         const AgglomerativeOptions& options,
                                         const Control& control = {});

/// The tree as SciPy's linkage matrix: (n - 1) x 4, by height; row t makes cluster n + t of the two
/// in its first columns, then come its height and size.
struct LinkageMatrix {
  std::vector<double> rows;
  std::vector<std::int32_t> rounds;  // of each row
};
LinkageMatrix linkage_matrix(const AgglomerativeTree& tree);

/// The grouping into K clusters that the rounds pass through, of the last one only its lowest
/// merges; 0 is the largest cluster. (Cutting the tree by height may give another one.) Throws
/// std::invalid_argument unless K is in 1 .. n.
Labels labels_at(const AgglomerativeTree& tree, std::size_t clusters);

}  // namespace shiftcut::methods

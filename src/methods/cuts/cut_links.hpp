// How much an object is linked to each cluster, the sum of its similarities to the members: from a
// table on a matrix, from its edges on a graph.
#pragma once

#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

/// What a search needs to know of every object, whatever the labels.
struct ObjectSums {
  std::vector<double> degree;  // d_o, the similarity to all, itself included
  std::vector<double> self;    // X_oo
  double largest = 0;          // of the sums of absolute similarities
};

ObjectSums object_sums(const Similarities& similarities, ThreadTeam& team);

/// K x n sums that follow the moves: O(K) to read an object's, O(n) a move.
class DenseLinks {
 public:
  DenseLinks(const DenseArray& similarities, std::span<const ClusterId> labels,
             std::size_t clusters);

  /// Writes the link of `object` to each cluster; its own counts it too.
  void read(ObjectId object, std::span<double> out) const {
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k] = table_[k * n_ + object];
    }
  }
  void move(ObjectId object, ClusterId from, ClusterId to);

 private:
  const double* similarities_;
  std::size_t n_;
  std::vector<double> table_;
};

/// Adds up edges: O(degree + K) to read an object's, nothing a move.
class GraphLinks {
 public:
  /// Looks at `labels` while they change.
  GraphLinks(const SparseMatrix& similarities, std::span<const ClusterId> labels,
             std::size_t /*clusters*/)
      : similarities_(similarities), labels_(labels) {}

  void read(ObjectId object, std::span<double> out) const;
  void move(ObjectId /*object*/, ClusterId /*from*/, ClusterId /*to*/) {}

 private:
  const SparseMatrix& similarities_;
  std::span<const ClusterId> labels_;
};

}  // namespace shiftcut::methods

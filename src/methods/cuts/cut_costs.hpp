// Local search over the classical cut costs needs, for each object, its links (the sum of its
// similarities to the members of each cluster) and, for each cost, the change a move would make.
// The terms of the costs are those of metrics/cut_terms.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "metrics/cut_terms.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

/// Sums over the similarities of each object that do not depend on the labels.
struct ObjectSums {
  std::vector<double> degree;  // d_o, the similarity to all, itself included
  std::vector<double> self;    // X_oo
  double largest = 0;          // of the sums of absolute similarities
};

ObjectSums object_sums(const Similarities& similarities, ThreadTeam& team);

/// The links of every object to every cluster, on a matrix: a table of K x n sums that follows the
/// moves. O(K) to read an object's links, O(n) per move.
class DenseLinks {
 public:
  DenseLinks(const DenseArray& similarities, std::span<const ClusterId> labels,
             std::size_t clusters);

  /// Writes the sum of similarities of `object` to each cluster, to its own including itself.
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

/// The same on a graph: edges are added up on demand. O(degree + K) to read, nothing per move.
class GraphLinks {
 public:
  /// Keeps a view of `labels`, which change.
  GraphLinks(const SparseMatrix& similarities, std::span<const ClusterId> labels,
             std::size_t /*clusters*/)
      : similarities_(similarities), labels_(labels) {}

  void read(ObjectId object, std::span<double> out) const;
  void move(ObjectId /*object*/, ClusterId /*from*/, ClusterId /*to*/) {}

 private:
  const SparseMatrix& similarities_;
  std::span<const ClusterId> labels_;
};

/// An object that may move: its links to the clusters (to its own without itself), X_oo and d_o.
struct Mover {
  std::span<const double> links;
  double self = 0;
  double degree = 0;
};

/// A cost that a search can follow. After begin(), add() for every object, and end(), cost() is the
/// cost of the grouping; changes() writes the change of cost for moving an object from its cluster
/// to each (0 for its own; meaningless if that would leave the cluster empty); move() moves it.
template <class C>
concept MoveCost =
    requires(C cost, const C& kept, ClusterId k, const Mover& object, std::span<double> out) {
      cost.begin();
      cost.add(k, object);
      cost.end();
      { kept.cost() } -> std::convertible_to<double>;
      { kept.size(k) } -> std::convertible_to<double>;
      kept.changes(k, object, out);
      cost.move(k, k, object);
    };

/// A sum of one term per cluster: O(1) per evaluated move.
template <class Term>
class ClusterwiseCost {
 public:
  explicit ClusterwiseCost(std::size_t clusters) : sums_(clusters) {}

  void begin() { sums_.assign(sums_.size(), ClusterSums{}); }
  void add(ClusterId k, const Mover& object) {
    sums_[k] += {1, object.links[k] + object.self, object.degree};
  }
  void end() {}

  [[nodiscard]] double cost() const {
    double sum = 0;
    for (const ClusterSums& k : sums_) {
      sum += Term::of(k);
    }
    return sum;
  }
  [[nodiscard]] double size(ClusterId k) const { return sums_[k].size; }

  void changes(ClusterId from, const Mover& object, std::span<double> out) const {
    const double leaving = Term::change(sums_[from], taken(from, object));
    for (ClusterId to = 0; to < out.size(); ++to) {
      out[to] = to == from ? 0.0 : leaving + Term::change(sums_[to], given(to, object));
    }
  }

  void move(ClusterId from, ClusterId to, const Mover& object) {
    sums_[from] += taken(from, object);
    sums_[to] += given(to, object);
  }

 private:
  // What an object adds to a cluster it is not in: its self-similarity once, its links twice.
  static ClusterSums given(ClusterId to, const Mover& object) {
    return {1, 2 * object.links[to] + object.self, object.degree};
  }
  static ClusterSums taken(ClusterId from, const Mover& object) {
    return {-1, -2 * object.links[from] - object.self, -object.degree};
  }

  std::vector<ClusterSums> sums_;
};

/// The adaptive ratio cut: keeps the cuts between all pairs of clusters and the weights of their
/// sizes, also with one object fewer or more, so that evaluating a move is O(K) and needs no
/// logarithm. A move is O(K).
class AdaptiveRatioCost {
 public:
  AdaptiveRatioCost(std::size_t clusters, double p);

  void begin();
  void add(ClusterId k, const Mover& object);
  void end();

  [[nodiscard]] double cost() const;
  [[nodiscard]] double size(ClusterId k) const { return sizes_[k]; }
  void changes(ClusterId from, const Mover& object, std::span<double> out) const;
  void move(ClusterId from, ClusterId to, const Mover& object);

 private:
  [[nodiscard]] std::size_t at(std::size_t k, std::size_t l) const { return k * sizes_.size() + l; }
  [[nodiscard]] double weight(double size_k, double size_l) const;
  void weigh(std::size_t k, std::size_t l);

  double p_;
  std::vector<double> sizes_;
  std::vector<double> cuts_;       // K x K, symmetric; the diagonal is not used
  std::vector<double> now_;        // weight(|k|, |l|)
  std::vector<double> fewer_;      // weight(|k| - 1, |l|)
  std::vector<double> more_;       // weight(|k| + 1, |l|)
  std::vector<double> exchanged_;  // weight(|k| - 1, |l| + 1)
};

}  // namespace shiftcut::methods

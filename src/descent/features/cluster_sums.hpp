// The sums behind move engines: for each view, what must be known of every cluster to compute an
// object's affinities to it.
//
// Objects may belong to their clusters by a weight: object o stands for the point
//   x_o = (1 - w_o) uniform + w_o e_label(o)
// of the simplex, a vertex where w_o = 1. Its affinities, with o left out, are
//   g_k = sum over p != o with label k of w_p S_op,
// plus a term from the uniform parts that is the same for all k, on which no choice depends and
// which is left out. So a soft assignment does not take n x K numbers, only a label and a weight
// per object and one sum per cluster.
//
// Computing K affinities costs O(K d) for features, O(entries K) for sparse ones, O(K) for a matrix
// (and a move O(n)) and O(degree + K) on a graph.
#pragma once

#include <span>
#include <vector>

#include "core/partition.hpp"
#include "problem/problem.hpp"

namespace shiftcut {

struct SoftLabels {
  std::vector<ClusterId> of;   // per object
  std::vector<float> weights;  // empty: all 1

  [[nodiscard]] double weight(ObjectId i) const {
    return weights.empty() ? 1.0 : static_cast<double>(weights[i]);
  }
};

/// What a view sums over the members of each cluster, times their weights. The storage behind a
/// move engine, with the same four functions for every view:
///   unit()                          what affinities are in units of
///   make_room(count)                there are `count` clusters now
///   add(object, cluster, weight)    the weight may be negative
///   affinities(object, labels, clusters, out)   g_k for these clusters, with the object left out
template <class View>
class ClusterSums;

template <>
class ClusterSums<GramProblem> {
 public:
  explicit ClusterSums(const GramProblem& problem)
      : problem_(problem), truth_(problem.first_truth()), row_(problem.length()) {}

  [[nodiscard]] double unit() const { return problem_.unit(); }
  void make_room(std::size_t clusters) { sums_.resize(clusters * problem_.length(), 0.0); }
  void add(ObjectId object, ClusterId cluster, double weight);
  void affinities(ObjectId object, const SoftLabels& labels, std::span<const ClusterId> clusters,
                  double* out);

 private:
  const GramProblem& problem_;
  RowTruth truth_;
  std::vector<double> sums_;  // of z, one vector per cluster
  std::vector<double> row_;
};

template <>
class ClusterSums<SparseGramProblem> {
 public:
  explicit ClusterSums(const SparseGramProblem& problem) : problem_(problem) {}

  [[nodiscard]] static double unit() { return 1; }
  void make_room(std::size_t clusters);
  void add(ObjectId object, ClusterId cluster, double weight);
  void affinities(ObjectId object, const SoftLabels& labels, std::span<const ClusterId> clusters,
                  double* out);

 private:
  const SparseGramProblem& problem_;
  std::size_t count_ = 0;       // clusters
  std::size_t stride_ = 0;      // capacity in clusters
  std::vector<double> sums_;    // one row of clusters per dimension
  std::vector<double> counts_;  // per cluster
  std::vector<double> p_sums_;  // per cluster
  std::vector<double> products_;
};

template <>
class ClusterSums<DenseProblem> {
 public:
  explicit ClusterSums(const DenseProblem& problem) : problem_(problem) {}

  [[nodiscard]] static double unit() { return 1; }
  void make_room(std::size_t clusters);
  void add(ObjectId object, ClusterId cluster, double weight);
  void affinities(ObjectId object, const SoftLabels& labels, std::span<const ClusterId> clusters,
                  double* out);

 private:
  const DenseProblem& problem_;
  std::vector<std::vector<double>> table_;  // per cluster, length n
  std::vector<double> counts_;
  std::vector<double> degrees_;
};

template <>
class ClusterSums<GraphProblem> {
 public:
  explicit ClusterSums(const GraphProblem& problem) : problem_(problem) {}

  [[nodiscard]] static double unit() { return 1; }
  void make_room(std::size_t clusters);
  void add(ObjectId object, ClusterId cluster, double weight);
  void affinities(ObjectId object, const SoftLabels& labels, std::span<const ClusterId> clusters,
                  double* out);
  /// Lists the object's own cluster, then those of its neighbours.
  void list_near(ObjectId object, const SoftLabels& labels, std::vector<ClusterId>& near);

 private:
  const GraphProblem& problem_;
  std::vector<double> counts_;
  std::vector<double> degrees_;
  std::vector<double> weight_to_;  // per cluster; all 0 between calls
  std::vector<bool> is_listed_;    // per cluster; all false between calls
};

}  // namespace shiftcut

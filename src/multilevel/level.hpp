// A level of the multilevel search: the objects of a problem, or nodes that each stand for a group
// of them. A node carries its size (objects), degree (their r summed) and self weight (X over
// ordered pairs inside it), so that a cluster of nodes costs what its objects cost:
//   affinity of v to C = W(v, C) - |C| (|v| flat + per_degree r_v) - |v| per_degree R_C.
#pragma once

#include <span>
#include <vector>

#include "core/memory.hpp"
#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "problem/dense_problem.hpp"
#include "problem/graph_problem.hpp"

namespace shiftcut {

/// What a node, or a cluster of nodes, weighs in the shift.
struct Mass {
  double size = 0;
  double degree = 0;
};

/// The nodes of a level, and the shift between them.
struct Nodes {
  PagedVector<Mass> mass;
  std::vector<double> self;
  ShiftTerms terms;
  double tolerance = 0;

  [[nodiscard]] std::size_t size() const { return mass.size(); }
};

/// Nodes with a list of edges each.
class SparseLevel {
 public:
  static constexpr bool kIsDense = false;

  SparseLevel(SparseLevel&&) = default;  // its spans look at its own vectors, so no copies
  SparseLevel& operator=(SparseLevel&&) = default;
  SparseLevel(const SparseLevel&) = delete;
  SparseLevel& operator=(const SparseLevel&) = delete;
  ~SparseLevel() = default;
  /// The objects of a graph, which is looked at and must outlive the level.
  explicit SparseLevel(const GraphProblem& problem);
  /// Takes the edges of a contracted level over: neither loops nor two edges between two nodes.
  SparseLevel(Nodes nodes, std::vector<std::int64_t> offsets, PagedVector<std::uint32_t> columns,
              PagedVector<double> weights);

  /// The same nodes and edges under another shift; this level must outlive it.
  [[nodiscard]] SparseLevel with_terms(const ShiftTerms& terms) const;

  /// The nodes begin .. end-1, numbered from 0, with the edges among them.
  [[nodiscard]] SparseLevel stretch(std::size_t begin, std::size_t end) const;

  [[nodiscard]] const Nodes& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::size_t edges() const { return columns_.size(); }
  [[nodiscard]] std::size_t edges_of(ObjectId v) const {
    return static_cast<std::size_t>(offsets_[v + 1] - offsets_[v]);
  }

  [[nodiscard]] ObjectId neighbor(ObjectId v, std::size_t edge) const {
    return columns_[static_cast<std::size_t>(offsets_[v]) + edge];
  }
  void prefetch_edges(ObjectId v) const {
    const std::int64_t begin = offsets_[v];  // past the end for a last node without edges
    __builtin_prefetch(columns_.data() + begin);
    if (same_weight_ == 0) {
      __builtin_prefetch(weights_.data() + begin);
    }
    __builtin_prefetch(&nodes_.mass[v]);
  }
  /// Calls visit(u) for every edge, loops included.
  template <class Visit>
  void for_each_neighbor(ObjectId v, const Visit& visit) const {
    const auto end = static_cast<std::size_t>(offsets_[v + 1]);
    for (auto e = static_cast<std::size_t>(offsets_[v]); e < end; ++e) {
      visit(columns_[e]);
    }
  }

  /// What every edge weighs, or 0 where they differ.
  [[nodiscard]] double same_weight() const { return same_weight_; }

  /// Calls visit(u, weight) for every edge to another node.
  template <class Visit>
  void for_each_edge(ObjectId v, const Visit& visit) const {
    const auto begin = static_cast<std::size_t>(offsets_[v]);
    const auto end = static_cast<std::size_t>(offsets_[v + 1]);
    if (same_weight_ != 0) {
      for (std::size_t e = begin; e < end; ++e) {
        if (columns_[e] != v) {
          visit(columns_[e], same_weight_);
        }
      }
      return;
    }
    for (std::size_t e = begin; e < end; ++e) {
      if (columns_[e] != v) {
        visit(columns_[e], weights_[e]);
      }
    }
  }

 private:
  SparseLevel() = default;

  Nodes nodes_;
  std::vector<std::int64_t> own_offsets_;
  PagedVector<std::uint32_t> own_columns_;
  PagedVector<double> own_weights_;
  std::span<const std::int64_t> offsets_;
  std::span<const std::uint32_t> columns_;
  std::span<const double> weights_;
  double same_weight_ = 0;
};

/// The objects of a full matrix: everyone has an edge to everyone.
class DenseLevel {
 public:
  static constexpr bool kIsDense = true;

  explicit DenseLevel(const DenseProblem& problem);

  [[nodiscard]] const Nodes& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::size_t edges() const { return size() * size(); }
  [[nodiscard]] std::size_t edges_of(ObjectId /*v*/) const { return size(); }
  [[nodiscard]] double same_weight() const { return 0; }
  [[nodiscard]] double weight(ObjectId v, ObjectId u) const {
    return problem_.sign() * problem_.matrix().at(v, u);
  }

  void prefetch_edges(ObjectId /*v*/) const {}
  template <class Visit>
  void for_each_neighbor(ObjectId /*v*/, const Visit& /*visit*/) const {}

  template <class Visit>
  void for_each_edge(ObjectId v, const Visit& visit) const {
    const std::size_t n = size();
    const auto walk = [&](const auto* row) {
      for (ObjectId u = 0; u < n; ++u) {
        if (u != v) {
          visit(u, problem_.sign() * static_cast<double>(row[u]));
        }
      }
    };
    const DenseArray& matrix = problem_.matrix();
    matrix.is_float32() ? walk(matrix.f32() + v * n) : walk(matrix.f64() + v * n);
  }

 private:
  const DenseProblem& problem_;
  Nodes nodes_;
};

/// Numbers the clusters that are present 0, 1, ... in the order their first node comes; returns how
/// many there are.
std::size_t number_densely(std::span<ClusterId> labels);

/// Labels of groups, passed on to their members.
std::vector<ClusterId> passed_on(std::span<const ClusterId> labels,
                                 std::span<const ClusterId> groups);

/// The level whose nodes are the clusters of `labels` (numbered densely, `count` of them).
template <class Level>
SparseLevel contract(const Level& level, std::span<const ClusterId> labels, std::size_t count,
                     ThreadTeam& team);

/// The cost of a partition of the level's nodes: that of the objects they stand for.
template <class Level>
double cost_of(const Level& level, std::span<const ClusterId> labels);

}  // namespace shiftcut

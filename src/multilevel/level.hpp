// A level of the multilevel search: the objects of a problem, or nodes that each stand for a set of
// objects. A node has a size (number of objects), a degree (the sum of their r) and a self weight
// (X over ordered pairs inside it), so that a cluster of nodes costs what its objects cost:
//   affinity of v to C = W(v, C) - |C| (|v| flat + per_degree r_v)
//                                - R_C (|v| per_degree + per_product r_v).
#pragma once

#include <span>
#include <vector>

#include "core/memory.hpp"
#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "problem/dense_problem.hpp"
#include "problem/graph_problem.hpp"

namespace shiftcut {

/// What a node, or a cluster of nodes, counts for in the shift.
struct Volume {
  double size = 0;
  double degree = 0;
};

/// The nodes of a level, and the shift between them.
struct Nodes {
  PagedVector<Volume> volume;
  std::vector<double> self;
  ShiftTerms terms;
  double tolerance = 0;

  [[nodiscard]] std::size_t size() const { return volume.size(); }
};

/// The weights of a level's edges. Where all edges of the graph weigh the same, an edge has the
/// count of those it stands for: 4 bytes instead of 8, and none where it is always one.
struct EdgeWeights {
  double unit = 0;                    // of one edge of the graph; 0: they differ
  PagedVector<std::uint32_t> counts;  // with a unit
  PagedVector<double> values;         // without
};

/// Nodes with a list of edges each.
class SparseLevel {
 public:
  static constexpr bool kIsDense = false;

  SparseLevel(SparseLevel&&) = default;  // no copies: spans refer to its own vectors
  SparseLevel& operator=(SparseLevel&&) = default;
  SparseLevel(const SparseLevel&) = delete;
  SparseLevel& operator=(const SparseLevel&) = delete;
  ~SparseLevel() = default;
  /// The objects of a graph, which is not copied and must outlive the level.
  explicit SparseLevel(const GraphProblem& problem);
  SparseLevel(const GraphProblem& problem, ThreadTeam& team);
  /// Takes over the edges of a contracted level: no loops, at most one edge between two nodes.
  SparseLevel(Nodes nodes, std::vector<std::int64_t> offsets, PagedVector<std::uint32_t> columns,
              EdgeWeights weights, ThreadTeam& team);

  /// The same nodes and edges under another shift; this level must outlive it.
  [[nodiscard]] SparseLevel with_terms(const ShiftTerms& terms) const;

  [[nodiscard]] const Nodes& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::size_t edges() const { return columns_.size(); }
  [[nodiscard]] std::size_t edges_of(ObjectId v) const {
    return static_cast<std::size_t>(offsets_[v + 1] - offsets_[v]);
  }

  /// The largest absolute weight of an edge.
  [[nodiscard]] double largest_weight() const { return largest_weight_; }

  [[nodiscard]] ObjectId neighbor(ObjectId v, std::size_t edge) const {
    return columns_[static_cast<std::size_t>(offsets_[v]) + edge];
  }
  /// Calls visit(u) for every edge, loops included.
  template <class Visit>
  void for_each_neighbor(ObjectId v, const Visit& visit) const {
    const auto end = static_cast<std::size_t>(offsets_[v + 1]);
    for (auto e = static_cast<std::size_t>(offsets_[v]); e < end; ++e) {
      visit(columns_[e]);
    }
  }

  /// Calls visit(u, weight) for every edge to another node.
  template <class Visit>
  void for_each_edge(ObjectId v, const Visit& visit) const {
    if (unit_ == 0) {
      visit_edges(v, [&](ObjectId u, std::size_t e) { visit(u, weights_[e]); });
    } else if (counts_.empty()) {
      visit_edges(v, [&](ObjectId u, std::size_t) { visit(u, unit_); });
    } else {
      visit_edges(v, [&](ObjectId u, std::size_t e) { visit(u, unit_ * counts_[e]); });
    }
  }

  /// The weight of one edge of the graph where all weigh the same, else 0; then
  /// for_each_count(v, visit) calls visit(u, count) with the number of those an edge stands for.
  [[nodiscard]] double unit() const { return unit_; }
  template <class Visit>
  void for_each_count(ObjectId v, const Visit& visit) const {
    visit_edges(v, [&](ObjectId u, std::size_t e) { visit(u, counts_.empty() ? 1 : counts_[e]); });
  }
  /// The weight of every edge of this level, or 0 if they may differ.
  [[nodiscard]] double same_weight() const { return counts_.empty() ? unit_ : 0.0; }

 private:
  SparseLevel() = default;

  template <class Visit>
  void visit_edges(ObjectId v, const Visit& visit) const {
    const auto end = static_cast<std::size_t>(offsets_[v + 1]);
    for (auto e = static_cast<std::size_t>(offsets_[v]); e < end; ++e) {
      if (columns_[e] != v) {
        visit(columns_[e], e);
      }
    }
  }

  Nodes nodes_;
  std::vector<std::int64_t> own_offsets_;
  PagedVector<std::uint32_t> own_columns_;
  EdgeWeights own_weights_;
  std::span<const std::int64_t> offsets_;
  std::span<const std::uint32_t> columns_;
  double unit_ = 0;
  std::span<const std::uint32_t> counts_;  // none where there is no unit, or each is 1
  std::span<const double> weights_;        // where there is no unit
  double largest_weight_ = 0;
};

/// The objects of a full matrix: every object has an edge to every other.
class DenseLevel {
 public:
  static constexpr bool kIsDense = true;

  explicit DenseLevel(const DenseProblem& problem);

  [[nodiscard]] const Nodes& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::size_t edges() const { return size() * size(); }
  [[nodiscard]] std::size_t edges_of(ObjectId /*v*/) const { return size(); }
  [[nodiscard]] double largest_weight() const { return 0; }  // needed for margins only
  [[nodiscard]] double unit() const { return 0; }
  [[nodiscard]] double same_weight() const { return 0; }
  [[nodiscard]] double weight(ObjectId v, ObjectId u) const {
    return problem_.sign() * problem_.matrix().at(v, u);
  }

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

/// Renumbers the labels in use 0, 1, ... in order of first appearance; returns how many there are.
std::size_t compact_labels(std::span<ClusterId> labels);
std::size_t compact_labels(std::span<ClusterId> labels, ThreadTeam& team);

/// Labels of coarse nodes, given to the fine nodes they were contracted from.
std::vector<ClusterId> project_labels(std::span<const ClusterId> labels,
                                      std::span<const ClusterId> coarse_node);
std::vector<ClusterId> project_labels(std::span<const ClusterId> labels,
                                      std::span<const ClusterId> coarse_node, ThreadTeam& team);

/// The level whose nodes are the clusters of `labels` (compact, `count` of them).
template <class Level>
SparseLevel contract(const Level& level, std::span<const ClusterId> labels, std::size_t count,
                     ThreadTeam& team);

/// The cost of a partition of the level's nodes: that of the objects they stand for.
template <class Level>
double cost_of(const Level& level, std::span<const ClusterId> labels);

}  // namespace shiftcut

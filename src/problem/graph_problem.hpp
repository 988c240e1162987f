// A sparse graph: X is its weights, 0 where there is no edge, the shift in its terms
// (shift_terms.hpp), so that absent edges cost nothing to store.
//   affinity of o to C = W(o, C) - |C| (flat + per_degree r_o) - R_C (per_degree + per_product
//   r_o).
// With a constant shift this is the Constant Potts Model (Traag et al. 2011).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "problem/constrained.hpp"
#include "problem/shift_terms.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

class GraphProblem {
 public:
  /// `graph` is square and symmetric, and outlives the problem.
  GraphProblem(const SparseMatrix& graph, const ShiftOptions& shift);
  /// The same, keeping a graph made for the purpose. With node weights, an edge is the sum over the
  /// objects that its two nodes stand for.
  GraphProblem(std::shared_ptr<const SparseMatrix> graph, const ShiftOptions& shift,
               NodeWeights node_weights = {});
  GraphProblem(std::shared_ptr<const SparseMatrix> graph, const ShiftOptions& shift,
               NodeWeights node_weights, ThreadTeam& team);

  /// The problem of the nodes of `constraints`, evidence and conflicts among its edges. The shift
  /// stays what it was: neither counts in degrees.
  [[nodiscard]] GraphProblem linked(const Constraints& constraints) const;
  [[nodiscard]] const Conflicts* conflicts() const { return conflicts_.get(); }

  /// The same graph under an adaptive shift of another strength.
  [[nodiscard]] GraphProblem with_strength(double strength) const;

  [[nodiscard]] std::size_t size() const { return graph_->rows; }
  [[nodiscard]] std::span<const std::uint32_t> neighbors(ObjectId i) const {
    return std::span(graph_->columns).subspan(begin(i), end(i) - begin(i));
  }
  [[nodiscard]] std::span<const double> weights(ObjectId i) const {
    return std::span(graph_->values).subspan(begin(i), end(i) - begin(i));
  }

  /// Affinity of i to a cluster of `count` objects, edges to it summing to `weight`, the cluster's
  /// degrees to `degrees`.
  [[nodiscard]] double affinity(ObjectId i, double weight, double count, double degrees) const {
    return weight - count * per_object(i) - per_unit_degree(i) * degrees;
  }
  /// node_weight flat + per_degree r_i: what every object of a cluster takes from its affinity to
  /// i.
  [[nodiscard]] double per_object(ObjectId i) const {
    return terms_.per_size(node_weights_.of(i), degree_[i]);
  }
  /// And every unit of its degrees.
  [[nodiscard]] double per_unit_degree(ObjectId i) const {
    return terms_.per_unit_degree(node_weights_.of(i), degree_[i]);
  }
  [[nodiscard]] double node_weight(ObjectId i) const { return node_weights_.of(i); }
  [[nodiscard]] const NodeWeights& node_weights() const { return node_weights_; }
  [[nodiscard]] const ShiftTerms& terms() const { return terms_; }
  [[nodiscard]] const SparseMatrix& graph() const { return *graph_; }
  [[nodiscard]] double degree(ObjectId i) const { return degree_[i]; }
  [[nodiscard]] bool has_negative_degree() const { return has_negative_degree_; }
  [[nodiscard]] bool has_negative_weight() const { return has_negative_weight_; }
  [[nodiscard]] bool has_loops() const { return has_loops_; }
  /// The weight of every edge and loop; 0 if they differ.
  [[nodiscard]] double same_weight() const { return same_weight_; }
  [[nodiscard]] double tolerance() const { return tolerance_; }

  [[nodiscard]] double shifted(ObjectId i, ObjectId j) const;
  [[nodiscard]] double cost(std::span<const ClusterId> labels, ThreadTeam& team) const;
  [[nodiscard]] double total(ThreadTeam& team) const;

 private:
  GraphProblem() = default;
  static GraphProblem alone(std::shared_ptr<const SparseMatrix> graph, const ShiftOptions& shift,
                            NodeWeights node_weights);
  void look_at_weights(ThreadTeam& team);
  [[nodiscard]] std::size_t begin(ObjectId i) const {
    return static_cast<std::size_t>(graph_->offsets[i]);
  }
  [[nodiscard]] std::size_t end(ObjectId i) const {
    return static_cast<std::size_t>(graph_->offsets[i + 1]);
  }

  std::shared_ptr<const SparseMatrix> graph_;
  ShiftTerms terms_;
  std::vector<double> degree_;
  NodeWeights node_weights_;
  std::shared_ptr<const Conflicts> conflicts_;
  bool has_negative_degree_ = false;
  bool has_negative_weight_ = false;
  bool has_loops_ = false;
  double same_weight_ = 0;
  double tolerance_ = 0;
};

}  // namespace shiftcut

// The objects a search works on, where rows of features repeat or have weights: equal rows are one
// node, which counts as often as they do together. Nodes come in an order that follows from what
// the rows hold, so the order in which rows are given does not change a result. (Under linear and
// cosine similarities, rows of which none repeats or has a weight other than 1 stay in the order
// given, in which they are read fastest.)
//
// X_ij of two rows is that of their nodes, and the cost of a partition of the rows is that of the
// weighted nodes. A row is not merged with equal rows where constraints may put them into different
// clusters. Matrices and graphs are left as they are, and so are rows under a shift matrix, which
// says something else about each of them.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"
#include "similarity/row_groups.hpp"

namespace shiftcut {

/// The node of a row of weight 0 that no other row equals: it takes no part in the clustering.
inline constexpr ObjectId kNoNode = kNoCluster;

class RowNodes {
 public:
  /// `input`, which has been checked, must outlive this.
  RowNodes(const Input& input, const Options& options, ThreadTeam& team);

  /// With at most this many rows in a node.
  [[nodiscard]] RowNodes with_most_rows(std::size_t most, const LinkOptions& links) const;

  /// The nodes under other constraints.
  [[nodiscard]] RowNodes with(const LinkOptions& links) const;
  /// Frees what only with() needs.
  void forget_groups() { equal_.reset(); }

  /// The data of the nodes, with their weights; the given data where every row is a node, in its
  /// place.
  [[nodiscard]] const Input& input() const { return own_ != nullptr ? *own_ : *given_; }
  [[nodiscard]] std::size_t size() const { return input().objects(); }
  [[nodiscard]] bool are_rows() const { return own_ == nullptr; }

  [[nodiscard]] ObjectId of(ObjectId row) const { return are_rows() ? row : node_of_[row]; }
  /// A row of the node, the first.
  [[nodiscard]] ObjectId row(ObjectId node) const { return are_rows() ? node : first_[node]; }
  /// How many rows each node stands for; empty: 1 each.
  [[nodiscard]] std::vector<std::uint32_t> row_counts() const;
  /// Of each row; empty where every row is a node, in its place.
  [[nodiscard]] const std::vector<ObjectId>& of_rows() const { return node_of_; }
  /// Whether there are rows without a node.
  [[nodiscard]] bool leave_rows() const { return leave_rows_; }
  /// How often the row counts.
  [[nodiscard]] double weight(ObjectId row) const {
    return given_->weights.empty() ? 1.0 : given_->weights[row];
  }

  /// Pairs and groups of rows as those of nodes; pairs within a node are left out.
  [[nodiscard]] LinkOptions links(const LinkOptions& of_rows) const;
  /// The options for a search on the nodes: no more clusters than these.
  [[nodiscard]] Options options(const Options& of_rows) const;
  /// What uncertain pairs within nodes add to the cost of every partition.
  [[nodiscard]] double evidence_cost(const LinkOptions& of_rows, double unit) const;

  /// From labels of rows to labels of nodes (none to none), and back; rows without a node get
  /// kNoCluster.
  [[nodiscard]] std::vector<ClusterId> node_labels(std::span<const ClusterId> of_rows) const;
  [[nodiscard]] std::vector<ClusterId> row_labels(std::span<const ClusterId> of_nodes) const;

 private:
  RowNodes() = default;
  void make_nodes(const LinkOptions& links);
  void take_given_order();

  const Input* given_ = nullptr;
  bool prefers_given_order_ = false;
  std::size_t most_rows_ = std::numeric_limits<std::size_t>::max();  // of a node
  std::shared_ptr<const RowGroups> equal_;                           // null: every row is a node
  std::unique_ptr<const Input> own_;
  std::vector<ObjectId> node_of_;
  std::vector<ObjectId> first_;
  bool leave_rows_ = false;
};

/// Throws InvalidArgument unless weights belong to rows of features, one each, all finite, 0 or
/// more and one of them positive.
void check_weights(const Input& input, const Options& options);

/// Labels as users see them: 0 is the cluster of the largest weight; in a tie, the cluster that
/// holds the smallest row, compared number by number, or of matrices and graphs the first object.
/// Rows without a node get -1.
Partition partition_of_rows(const RowNodes& nodes, std::span<const ClusterId> of_nodes);

}  // namespace shiftcut

// The graph that a path over strengths is computed on: the objects, or, where there are many edges,
// groups of objects that no solution on the path is expected to divide.
//
// A large graph is contracted: groups that one pass of local moving finds under the strongest shift
// stay together. Then small groups do, again and again until few edges are left.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "multilevel/level.hpp"
#include "problem/graph_problem.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/path_labels.hpp"
#include "shiftcut/result.hpp"
#include "strength/strength_path.hpp"

namespace shiftcut {

/// Edges above which a graph is contracted first, and contracted again until it has no more, as
/// long as this many nodes are left.
struct PathSizes {
  std::size_t smaller = std::size_t{1} << 17;
  std::size_t again = std::size_t{1} << 19;
  std::size_t least_nodes = 4096;
};

/// Where the graph comes from: nearest neighbours of rows, or the user.
enum class GraphOrigin { neighbors, given };

class PathGraph {
 public:
  /// `problem` must outlive it. If stopped, fewer objects are joined.
  PathGraph(const GraphProblem& problem, const SearchOptions& options, const PathSizes& sizes,
            GraphOrigin origin, const Context& context);

  /// The nodes: objects, or groups of them.
  [[nodiscard]] const SparseLevel& level() const { return contracted_ ? *contracted_ : objects_; }
  [[nodiscard]] std::span<const Volume> nodes() const { return level().nodes().volume; }
  [[nodiscard]] const SparseLevel& objects() const { return objects_; }
  /// The node of every object; empty if each is one.
  [[nodiscard]] std::span<const ClusterId> groups() const { return groups_; }
  /// The shift of strength 1.
  [[nodiscard]] const ShiftTerms& unit() const { return unit_; }
  [[nodiscard]] bool is_given() const { return origin_ == GraphOrigin::given; }

  /// All objects together, by their weights.
  [[nodiscard]] double total_size() const;
  /// Equal rows are one node, which weighs as much as they.
  [[nodiscard]] bool rows_repeat() const;

  /// What the nodes have, for every object.
  template <class T>
  [[nodiscard]] std::vector<T> of_objects(const std::vector<T>& of_nodes) const {
    if (!contracted_) {
      return of_nodes;
    }
    std::vector<T> out(groups_.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = of_nodes[groups_[i]];
    }
    return out;
  }

  /// Solutions as they are reported; `clusters` is K.
  [[nodiscard]] std::vector<PathPoint> points_of(const std::vector<PathSolution>& solutions,
                                                 std::optional<std::size_t> clusters) const;
  [[nodiscard]] PathLabels groupings_of(const std::vector<PathSolution>& solutions) const;
  /// By decreasing weight.
  [[nodiscard]] std::vector<std::size_t> sizes_of(const std::vector<ClusterId>& labels) const;

 private:
  void contract_graph(const SearchOptions& options, const PathSizes& sizes, const Context& context);
  void set_agreement(const std::vector<PathSolution>& solutions,
                     std::vector<PathPoint>& points) const;

  GraphOrigin origin_;
  SparseLevel objects_;
  ShiftTerms unit_;
  std::vector<ClusterId> groups_;
  std::optional<SparseLevel> contracted_;
};

}  // namespace shiftcut

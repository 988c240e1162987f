// Pairs as question strategies see them: S in units of a strong similarity, so about -1 to 1, and
// +1 or -1 where answers imply that a pair is together or not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "constraints/constraints.hpp"
#include "core/partition.hpp"
#include "problem/problem.hpp"

namespace shiftcut {

class PairView {
 public:
  /// `weights` of the problem's objects; `skipped`: pairs that are not to be asked about.
  PairView(const Problem& problem, const NodeWeights& weights,
           const std::optional<Constraints>& constraints, std::span<const ObjectPair> skipped)
      : problem_(problem),
        constraints_(constraints ? &*constraints : nullptr),
        weights_(weights),
        unit_(unit_of(problem, weights)) {
    for (const ObjectPair& pair : skipped) {
      skipped_.insert(key(pair.a, pair.b));
    }
  }

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] std::size_t size() const { return shiftcut::size(problem_); }
  [[nodiscard]] double unit() const { return unit_; }
  /// How many rows the object stands for.
  [[nodiscard]] double weight(ObjectId i) const { return weights_.of(i); }

  [[nodiscard]] ObjectId node(ObjectId i) const {
    return constraints_ == nullptr ? i : constraints_->node_of[i];
  }
  [[nodiscard]] bool must_be_together(ObjectId i, ObjectId j) const { return node(i) == node(j); }
  [[nodiscard]] bool must_be_apart(ObjectId i, ObjectId j) const {
    const auto conflicts = conflicts_of(i);
    return std::binary_search(conflicts.begin(), conflicts.end(), node(j)) || share_group(i, j);
  }
  /// Nodes that the object must not be with, ascending.
  [[nodiscard]] std::span<const ObjectId> conflicts_of(ObjectId i) const {
    if (constraints_ == nullptr || constraints_->conflicts == nullptr) {
      return {};
    }
    return constraints_->conflicts->lists()[node(i)];
  }
  /// Whether the answer is not known yet.
  [[nodiscard]] bool is_open(ObjectId i, ObjectId j) const {
    return !must_be_together(i, j) && !must_be_apart(i, j) && !skipped_.contains(key(i, j));
  }

  [[nodiscard]] double similarity(ObjectId i, ObjectId j) const {
    if (must_be_together(i, j)) {
      return 1;
    }
    if (must_be_apart(i, j)) {
      return -1;
    }
    return std::clamp(shifted(problem_, i, j) / (weight(i) * weight(j) * unit_), -1.0, 1.0);
  }

  static std::uint64_t key(ObjectId i, ObjectId j) {
    return std::uint64_t{std::min(i, j)} << 32 | std::max(i, j);
  }

 private:
  // The largest edge weight; without a graph the largest similarity of an object to itself, of
  // some.
  static double unit_of(const Problem& problem, const NodeWeights& weights) {
    double largest = 0;
    if (const auto* graph = std::get_if<GraphProblem>(&problem)) {
      for (ObjectId i = 0; i < graph->size(); ++i) {
        for (std::size_t e = 0; e < graph->neighbors(i).size(); ++e) {
          const double pairs = weights.of(i) * weights.of(graph->neighbors(i)[e]);
          largest = std::max(largest, std::abs(graph->weights(i)[e]) / pairs);
        }
      }
    } else {
      const std::size_t n = shiftcut::size(problem);
      const std::size_t stride = std::max<std::size_t>(1, n / 256);
      for (std::size_t i = 0; i < n; i += stride) {
        const auto object = static_cast<ObjectId>(i);
        const double pairs = weights.of(object) * weights.of(object);
        largest = std::max(largest, std::abs(shifted(problem, object, object)) / pairs);
      }
    }
    return largest > 0 ? largest : 1;
  }

  // Whether two nodes are in a group of which a cluster may hold one object.
  [[nodiscard]] bool share_group(ObjectId i, ObjectId j) const {
    if (constraints_ == nullptr || constraints_->one_per_cluster == nullptr) {
      return false;
    }
    const auto groups = constraints_->one_per_cluster->groups(node(i));
    return std::ranges::any_of(
        constraints_->one_per_cluster->groups(node(j)),
        [&](std::uint32_t group) { return std::ranges::find(groups, group) != groups.end(); });
  }

  const Problem& problem_;
  const Constraints* constraints_;
  const NodeWeights& weights_;
  double unit_;
  std::unordered_set<std::uint64_t> skipped_;
};

}  // namespace shiftcut

// Pairs as questions see them: S in units of a strong similarity, so that it is about -1 to 1, and
// +1 or -1 where answers settle a pair.
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
  /// `constraints` may be none. `put_off`: pairs that are not to be asked about.
  PairView(const Problem& problem, const std::optional<Constraints>& constraints,
           std::span<const ObjectPair> put_off)
      : problem_(problem),
        constraints_(constraints ? &*constraints : nullptr),
        unit_(unit_of(problem)) {
    for (const ObjectPair& pair : put_off) {
      put_off_.insert(key(pair.a, pair.b));
    }
  }

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] std::size_t size() const { return shiftcut::size(problem_); }
  [[nodiscard]] double unit() const { return unit_; }

  [[nodiscard]] ObjectId node(ObjectId i) const {
    return constraints_ == nullptr ? i : constraints_->node_of[i];
  }
  [[nodiscard]] bool are_same(ObjectId i, ObjectId j) const { return node(i) == node(j); }
  [[nodiscard]] bool are_apart(ObjectId i, ObjectId j) const {
    const auto conflicts = conflicts_of(i);
    return std::binary_search(conflicts.begin(), conflicts.end(), node(j)) || share_group(i, j);
  }
  /// Nodes that the object may not be with, ascending.
  [[nodiscard]] std::span<const ObjectId> conflicts_of(ObjectId i) const {
    if (constraints_ == nullptr || constraints_->conflicts == nullptr) {
      return {};
    }
    return constraints_->conflicts->lists()[node(i)];
  }
  /// Whether an answer would tell anything new.
  [[nodiscard]] bool is_open(ObjectId i, ObjectId j) const {
    return !are_same(i, j) && !are_apart(i, j) && !put_off_.contains(key(i, j));
  }

  [[nodiscard]] double similarity(ObjectId i, ObjectId j) const {
    if (are_same(i, j)) {
      return 1;
    }
    if (are_apart(i, j)) {
      return -1;
    }
    return std::clamp(shifted(problem_, i, j) / unit_, -1.0, 1.0);
  }

  static std::uint64_t key(ObjectId i, ObjectId j) {
    return std::uint64_t{std::min(i, j)} << 32 | std::max(i, j);
  }

 private:
  // The largest edge; else the largest similarity of an object to itself, of a few.
  static double unit_of(const Problem& problem) {
    double largest = 0;
    if (const auto* graph = std::get_if<GraphProblem>(&problem)) {
      for (const double weight : graph->graph().values) {
        largest = std::max(largest, std::abs(weight));
      }
    } else {
      const std::size_t n = shiftcut::size(problem);
      const std::size_t stride = std::max<std::size_t>(1, n / 256);
      for (std::size_t i = 0; i < n; i += stride) {
        const auto object = static_cast<ObjectId>(i);
        largest = std::max(largest, std::abs(shifted(problem, object, object)));
      }
    }
    return largest > 0 ? largest : 1;
  }

  // Of groups of which a cluster may have one.
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
  double unit_;
  std::unordered_set<std::uint64_t> put_off_;
};

}  // namespace shiftcut

// Groups of objects of which a cluster may hold one each. As pairs they would be quadratic in the
// sizes of the groups, so only pairs that meet, or are likely to, are ever listed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "constraints/conflicts.hpp"
#include "core/partition.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

using NodePair = std::pair<ObjectId, ObjectId>;

/// Calls visit(a, b) for each item of `run` with at most `most` that follow it: all pairs of a
/// short run, and enough of a long one to split it up.
template <class Items, class Visit>
void for_pairs_of(const Items& run, std::size_t most, const Visit& visit) {
  for (std::size_t i = 0; i < run.size(); ++i) {
    for (std::size_t j = i + 1; j < run.size() && j - i <= most; ++j) {
      visit(run[i], run[j]);
    }
  }
}

class OnePerCluster {
 public:
  /// The group of each object, below 0: none, and its node. No node has two objects of a group.
  OnePerCluster(std::span<const std::int32_t> group, std::span<const ObjectId> node,
                std::size_t nodes);

  /// Those a node is in, numbered from 0; groups of a single node are left out.
  [[nodiscard]] std::span<const std::uint32_t> groups(ObjectId node) const {
    return std::span(groups_).subspan(node_begin_[node], node_begin_[node + 1] - node_begin_[node]);
  }

  /// Of nodes in one group, a pair in two groups twice.
  [[nodiscard]] std::uint64_t pairs() const;
  [[nodiscard]] std::span<const ObjectId> largest() const;
  /// Whether some node is in several groups.
  [[nodiscard]] bool overlap() const;

  [[nodiscard]] std::vector<NodePair> all() const;

  /// Pairs joined by an edge of positive weight, or by two such edges to one object: a guess at
  /// what may meet. At most a few per edge. `graph` is that of the objects.
  [[nodiscard]] std::vector<NodePair> near(const SparseMatrix& graph,
                                           std::span<const ObjectId> node) const;

  struct Clashes {
    std::vector<NodePair> pairs;  // in one cluster; not all if a cluster has many of a group
    std::size_t nodes = 0;        // that would have to leave
  };
  /// Besides, if these are at most `further`, all pairs within groups of the nodes that would have
  /// to leave, so that these never clash again.
  [[nodiscard]] Clashes clashes(std::span<const ClusterId> labels, std::size_t further = 0) const;

  /// Changes labels until nothing clashes: the second node of a group leaves, with K free for an
  /// empty cluster, else for one without members of its groups and without `conflicts`. Returns
  /// whether that succeeded: always with K free, or if groups do not overlap, none is larger than
  /// K, and there are no other conflicts.
  [[nodiscard]] bool repair(std::span<ClusterId> labels, std::optional<std::size_t> clusters,
                            const Conflicts* conflicts) const;

 private:
  [[nodiscard]] std::size_t count() const { return begin_.size() - 1; }
  [[nodiscard]] std::span<const ObjectId> members(std::size_t g) const {
    return std::span(members_).subspan(begin_[g], begin_[g + 1] - begin_[g]);
  }

  std::vector<std::size_t> begin_;  // of each group in members_
  std::vector<ObjectId> members_;
  std::vector<std::size_t> node_begin_;  // of each node in groups_
  std::vector<std::uint32_t> groups_;
};

}  // namespace shiftcut

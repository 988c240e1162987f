// From one cluster to K by splitting in two, always the cluster whose split costs least.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/partition.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

/// Two parts of a cluster, neither empty, both in ascending order.
struct Split {
  std::vector<ObjectId> left;
  std::vector<ObjectId> right;
  double change = 0;  // of the total cost, once made
};

/// The best split of a cluster of two objects or more, or none.
using BestSplit = std::function<std::optional<Split>(std::span<const ObjectId> members)>;

/// Labels 0 .. K-1 in the order of each cluster's first object. Fewer than K where no cluster has a
/// split left. `best_split` is asked once a cluster; the first cluster wins among equal changes.
/// Throws Interrupted between splits.
Labels split_recursively(std::size_t n, std::size_t clusters, const BestSplit& best_split,
                         std::string_view phase, const Control& control);

/// Sorts the objects on the two sides: `on_left[i]` is for members[i].
Split split_by_side(std::span<const ObjectId> members, const std::vector<bool>& on_left);

}  // namespace shiftcut::methods

// Spectral methods find K clusters by splitting in two: sort the objects along an eigenvector,
// sweep over the cuts, and split where the cost is least.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

/// Two parts of a cluster, neither empty, both in ascending order.
struct Split {
  std::vector<ObjectId> left;
  std::vector<ObjectId> right;
  double change = 0;  // of the total cost, if it is made
};

/// The best split of a cluster of two objects or more, or none.
using BestSplit = std::function<std::optional<Split>(std::span<const ObjectId> members)>;

/// Goes from one cluster to K by splitting in two, each time the cluster whose split costs least,
/// of equal ones the first. Labels 0 .. K-1 in the order of the clusters' first objects; fewer than
/// K if no cluster can be split further. Calls `best_split` once per cluster. Throws Interrupted
/// between splits.
Labels split_recursively(std::size_t n, std::size_t clusters, const BestSplit& best_split,
                         std::string_view phase, const Control& control);

/// The split that puts members[i] on the left if on_left[i].
Split split_by_side(std::span<const ObjectId> members, const std::vector<bool>& on_left);

/// The objects by ascending value; of equal ones, the lower number first.
std::vector<ObjectId> ascending(std::span<const double> values);

/// The cuts of a sweep along an order: entry t-1, for t = 1 .. n-1, is the sum of similarities
/// between the first t objects and the others, each pair counted once. One pass over the
/// similarities; the same for any number of threads.
std::vector<double> cuts_along(const Similarities& similarities, std::span<const ObjectId> order,
                               ThreadTeam& team);

}  // namespace shiftcut::methods

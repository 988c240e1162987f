// What it costs to cut the objects in two along an order, at every place.
#pragma once

#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

/// The objects by ascending value; the lower number first among equals.
std::vector<ObjectId> ascending(std::span<const double> values);

/// For t = 1 .. n-1, at t-1: the summed similarities between the first t objects of the order and
/// the others, each pair counted once. One pass over the similarities; the same for any number of
/// threads.
std::vector<double> cuts_along(const Similarities& similarities, std::span<const ObjectId> order,
                               ThreadTeam& team);

}  // namespace shiftcut::methods

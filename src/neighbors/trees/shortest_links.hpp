// The shortest links between components of a neighbour graph, for joining them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "neighbors/tuning.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// A link between two objects. Of equally long ones the first by `rank`, then by `to`, is taken.
struct Link {
  double length = 0;
  std::uint32_t rank = 0;  // of `from` among the sampled members of its component
  ObjectId from = 0;
  ObjectId to = 0;
};

/// The objects a component is searched from.
struct LinkQueries {
  ObjectId component = 0;
  std::vector<ObjectId> members;
};

/// For each component the shortest link from one of its queries to an object outside it:
///   length = max(d_ij, core_i, core_j) + 1e-7 d_ij.
/// `component` is that of every object. The s-th query of a component looks at every stride-th
/// object from s mod stride on. None for a component whose queries see no others. float32 products
/// with an error bound rule out most pairs (packed_rows.hpp); the others are measured in double
/// precision. `together` numbers of rows are packed at once, which changes no result. O(queries n d
/// / stride).
std::vector<std::optional<Link>> shortest_links(const FeatureRows& rows,
                                                std::span<const double> core,
                                                std::span<const ObjectId> component,
                                                const std::vector<LinkQueries>& queries,
                                                std::size_t stride, ThreadTeam& team,
                                                std::size_t together = kNumbersLinkedTogether);

}  // namespace shiftcut

// The objects that stand for a cluster.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/thread_team.hpp"
#include "describe/members.hpp"
#include "shiftcut/data.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// Distances of any two objects: of rows, or as a function says.
struct ObjectDistances {
  std::shared_ptr<const FeatureRows> rows;  // null: `between` is used
  std::function<double(ObjectId, ObjectId)> between;
};

/// Of each cluster at most `most` members, the first of which has the smallest mean distance to
/// all others; each further one lowers the mean distance of members to the nearest exemplar the
/// most (BUILD of Kaufman and Rousseeuw's PAM, 1990), as long as one does. In a tie the first
/// object. Of large clusters a sample is compared, which depends on what rows hold and not on their
/// order, and of matrices on the numbers of the objects.
std::vector<std::vector<std::size_t>> exemplars_by_distance(const ObjectDistances& distances,
                                                            const ClusterMembers& members,
                                                            std::size_t most, ThreadTeam& team);

/// The same with the edges of a graph as similarities, of all members: each exemplar adds the most
/// to the sum over members of their largest similarity to an exemplar. O(edges) for each.
std::vector<std::vector<std::size_t>> exemplars_of_graph(const SparseMatrix& graph,
                                                         const ClusterMembers& members,
                                                         std::size_t most, ThreadTeam& team);

/// The cluster that has the exemplar nearest to the first one of `cluster`; none if there is no
/// other.
std::optional<std::int32_t> nearest_by_exemplars(
    const ObjectDistances& distances, const std::vector<std::vector<std::size_t>>& exemplars,
    std::size_t cluster);

}  // namespace shiftcut

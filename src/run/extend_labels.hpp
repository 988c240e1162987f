// From the clusters of a sample to those of all rows.
#pragma once

#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// How many rows all rows can be compared with in about 0.1 s.
std::size_t affordable_comparisons(const Input& input);

/// Every row joins the sampled rows nearest to it. `grouping` is that of the rows named. Under
/// neighbour similarities the nearest of a sample of s rows vote: O(n sqrt(s) d), which keeps
/// clusters of any shape. Under others, or if it is late, several centres represent a cluster.
std::vector<ClusterId> extended_labels(const Input& input, std::span<const ObjectId> sample,
                                       const Result& grouping, bool is_late, ThreadTeam& team);

}  // namespace shiftcut

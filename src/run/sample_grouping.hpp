// A grouping of features where time ran out before their similarities were known.
#pragma once

#include <optional>
#include <vector>

#include "constraints/constraints.hpp"
#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Groups a sample of the rows by the same options; every other row joins the sampled rows nearest
/// to it. Certain pairs are kept to. Takes a fraction of a second for up to about a hundred million
/// numbers. The cost is not known (NaN), unless there are so few rows that all are in the sample.
Result sample_result(const Input& input, const Options& options,
                     const std::optional<Constraints>& constraints, StopReason reason,
                     ThreadTeam& team);

/// The labels of such a grouping alone, whatever is known of pairs.
std::vector<ClusterId> sample_labels(const Input& input, const Options& options, ThreadTeam& team);

}  // namespace shiftcut

// The grouping of a sample, for features whose similarities were not known when time ran out.
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

/// Groups a sample of the rows with the same options; every other row joins the nearest of them.
/// Certain pairs and groups are satisfied. Takes a fraction of a second for up to about a hundred
/// million numbers. The cost is unknown (NaN) unless all rows fit into the sample.
Result sample_result(const Input& input, const Options& options,
                     const std::optional<Constraints>& constraints, StopReason reason,
                     ThreadTeam& team);

/// The labels of such a grouping alone, without constraints.
std::vector<ClusterId> sample_labels(const Input& input, const Options& options, ThreadTeam& team);

}  // namespace shiftcut

// The grouping of a sample, for features whose time runs out: worth having long before the
// similarities of all rows are known.
#pragma once

#include <optional>
#include <vector>

#include "constraints/constraints.hpp"
#include "core/context.hpp"
#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"
#include "sizes/size_bounds.hpp"

namespace shiftcut {

/// A sample clustered with the options of the run, and the labels that it gives all rows
/// (extend_labels.hpp). No constraints.
struct SampleGrouping {
  std::vector<ObjectId> sample;
  Result of_sample;
  std::vector<ClusterId> labels;
  double group_seconds = 0;
  double extend_seconds = 0;
};

/// Takes a fraction of a second for up to about a hundred million numbers.
SampleGrouping first_sample(const Input& input, const Options& options, ThreadTeam& team);

/// The same, then larger samples for as long as they are expected to take a small part of the time
/// left; the largest. None if all rows fit into the first.
std::optional<SampleGrouping> growing_samples(const Input& input, const Options& options,
                                              const Context& context);

/// The result from the sample given, or else the first. Certain pairs and groups are satisfied. The
/// cost is unknown (NaN) unless all rows fit into the sample.
Result sample_result(const Input& input, const Options& options,
                     const std::optional<Constraints>& constraints,
                     const std::optional<SizeBounds>& bounds, StopReason reason,
                     std::optional<SampleGrouping> sampled, ThreadTeam& team);

}  // namespace shiftcut

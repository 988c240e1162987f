// Solutions along a path of shift strengths on one graph, from strong to weak, each a start for its
// neighbours on the path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "core/work_meter.hpp"
#include "multilevel/level.hpp"

namespace shiftcut {

/// A partition of the nodes at one strength.
struct PathSolution {
  double strength = 0;
  std::vector<ClusterId> labels;  // compact
  double cost = 0;
};

struct PathPlan {
  std::vector<double> strengths;
  std::optional<std::size_t> clusters;
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;  // the first of the random streams that may be used
  // In a checkpoint; empty: not kept.
  std::string name = {};  // NOLINT(readability-redundant-member-init): plans leave it out
};

/// Strengths with K given: from 4 down by factors of 2.
std::vector<double> strengths_with_k();
/// From the strongest down by factors of sqrt(2).
std::vector<double> fine_strengths(double strongest, std::size_t steps);

/// The level under the shift of another strength; `unit` are the terms of strength 1.
SparseLevel at_strength(const SparseLevel& level, const ShiftTerms& unit, double strength);

/// A solution for every strength, by decreasing strength; if stopped, for those that were finished,
/// or an unfinished one if none was.
/// Each strength runs on one thread, so that the number of threads does not change the result.
std::vector<PathSolution> solve_along(const PathPlan& plan, const SparseLevel& level,
                                      const ShiftTerms& unit, const Context& context,
                                      WorkMeter& meter);

}  // namespace shiftcut

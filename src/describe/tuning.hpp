// The numbers that descriptions depend on.
#pragma once

#include <cstddef>

namespace shiftcut::describe_tuning {

/// Members of a cluster among which exemplars are chosen, by comparing all pairs.
inline constexpr std::size_t kCandidates = 512;

/// No effect is larger: columns that are constant in every cluster would have infinite ones.
inline constexpr double kLargestEffect = 100;

/// Columns compared at a time, before the largest effects of each cluster are kept.
inline constexpr std::size_t kColumnsAtATime = 64;

}  // namespace shiftcut::describe_tuning

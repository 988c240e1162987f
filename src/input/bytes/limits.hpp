// What the readers agree on: how much they take, and how much they say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace shiftcut {

inline constexpr std::size_t kMostObjects = std::numeric_limits<std::uint32_t>::max() - 1;

/// By how much s(i, j) and s(j, i) may differ, relative to the largest absolute value.
inline constexpr double kSymmetryTolerance = 1e-8;

/// Columns that have a note of their own; the others share one.
inline constexpr std::size_t kNotesByColumn = 8;

/// Names listed in a message.
inline constexpr std::size_t kNamesShown = 10;

}  // namespace shiftcut

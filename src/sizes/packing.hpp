// A grouping that keeps the sizes, whatever it costs. Single objects always fit if the numbers
// allow it; nodes that stand for several, or that are in conflict, make it a bin packing with
// conflicts, searched exhaustively up to a number of steps.
#pragma once

#include <span>
#include <vector>

#include "constraints/conflicts.hpp"
#include "sizes/size_bounds.hpp"

namespace shiftcut {

struct Packing {
  enum class Verdict { found, impossible, unknown };

  Verdict verdict = Verdict::found;
  std::vector<ClusterId> labels;  // if found
};

/// Keeps to `preferred` (empty: none) where it can. `conflicts` may be null.
Packing pack(std::size_t nodes, const SizeBounds& bounds, const Conflicts* conflicts,
             std::span<const ClusterId> preferred);

}  // namespace shiftcut

// The last stage of a search: the local search from where it got to, counted as part of it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "descent/descend.hpp"

namespace shiftcut {

/// Descends from `labels`; returns `before` with the descent's sweeps and moves added and its cost.
inline Restart descend_after(Restart before, const Problem& problem, std::vector<ClusterId>& labels,
                             std::optional<std::size_t> clusters, const Context& context) {
  const auto with_before = [&](const Restart& descent) {
    Restart both = before;
    both.cost = descent.cost;
    both.sweeps += descent.sweeps;
    both.moves += descent.moves;
    return both;
  };
  AfterSweep forward;
  if (context.after_sweep) {
    forward = [&](const Restart& descent, std::size_t moves) {
      context.after_sweep(with_before(descent), moves);
    };
  }
  return with_before(descend(problem, labels, clusters, context.with(std::move(forward))));
}

}  // namespace shiftcut

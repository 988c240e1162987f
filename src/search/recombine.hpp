// Two answers make a third: what both put together moves as one, so that it can take the better of
// the two in one place and of the other elsewhere. (Sanders, Schulz 2012 combine partitions so.)
#pragma once

#include <optional>

#include "core/context.hpp"
#include "descent/descend.hpp"
#include "descent/restarts.hpp"
#include "problem/problem.hpp"

namespace shiftcut {

struct CombineOptions {
  std::optional<std::size_t> clusters;
  bool is_thorough = true;  // a multilevel cycle ends it, else a descent
};

/// The lowest of both and of what comes of them, for a graph. It is a single-move local optimum if
/// both are, unless stopped. All of its one Restart but `seconds` is filled in.
Solution combine(const Problem& problem, const Solution& one, const Solution& other,
                 const CombineOptions& options, const Context& context);

}  // namespace shiftcut

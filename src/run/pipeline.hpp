// The way of run.hpp in steps, for those who do not take it in one go: feedback.cpp solves again
// and again what was prepared once.
#pragma once

#include <optional>
#include <vector>

#include "constraints/constraints.hpp"
#include "core/context.hpp"
#include "core/partition.hpp"
#include "descent/restarts.hpp"
#include "problem/make_problem.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"
#include "similarity/learn_weights.hpp"
#include "strength/shift_path.hpp"

namespace shiftcut {

/// Data with its similarities and shift, before any search. `made` looks at the input.
struct Prepared {
  Options options;  // with the feature weights that were learned
  std::optional<LearnedWeights> learned;
  MadeProblem made;
  ShiftPath path;
  double similarity_seconds = 0;
  double path_seconds = 0;
};

/// Throws std::invalid_argument for numbers of the search and the similarity that make no sense.
void check_options(const Input& input, const Options& options);

/// What is known of pairs, or none. Throws as make_constraints does.
std::optional<Constraints> constraints_of(const Input& input, const Options& options);

/// Learned feature weights are used only if the grouping they lead to without any pairs satisfies
/// significantly more pairs than that of equal weights. Throws Interrupted if told to stop before
/// the similarities of features are known.
Prepared prepare(const Input& input, const Options& options, const Context& context);

/// Makes the evidence count in a problem's own units: pair_unit.
void in_units(Constraints& constraints, double unit);

/// Labels of the objects. Evidence in `constraints` is in the problem's units. `stop_linking` as
/// for constrained_search().
Solution solve(const Prepared& prepared, const std::optional<Constraints>& constraints,
               const Context& context, StopCheck* stop_linking = nullptr);

/// The same from labels that were an answer to nearly the same problem: a fraction of the work on
/// large data.
Solution solve_again(const Prepared& prepared, const std::optional<Constraints>& constraints,
                     const std::vector<ClusterId>& labels, const Context& context);

}  // namespace shiftcut

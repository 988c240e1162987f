// The steps of run(), for callers that do not take them all at once: feedback.cpp prepares a
// problem once and solves it again after every answer. All but the first and the last work on the
// nodes of row_nodes.hpp.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "constraints/constraints.hpp"
#include "core/context.hpp"
#include "core/partition.hpp"
#include "descent/restarts.hpp"
#include "problem/make_problem.hpp"
#include "run/row_nodes.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"
#include "similarity/learn_weights.hpp"
#include "sizes/size_bounds.hpp"
#include "strength/shift_path.hpp"

namespace shiftcut {

/// Data with its similarities, shift and problem, before any search. It refers to the input.
struct Prepared {
  Options options;  // with the feature weights that were learned
  Similarities similarities;
  ShiftPath path;  // over shift strengths; empty where the strength was given
  Problem problem;
  std::optional<LearnedWeights> learned = {};  // NOLINT(readability-redundant-member-init)
  double similarity_seconds = 0;
  double shift_seconds = 0;
};

/// Throws InvalidArgument for options of the search, the similarity and the shift that make no
/// sense.
void check_options(const Input& input, const Options& options);

/// Throws for pairs that contradict each other or make no sense, as check_links() does.
void check_links_of(const Input& input, const Options& options);

/// What is known about pairs of nodes, or none; `options` are those of the nodes, and messages name
/// rows of `input`. Throws as make_constraints() does.
std::optional<Constraints> constraints_of(const Input& input, const RowNodes& nodes,
                                          const Options& options);

/// The nodes: equal rows are one, unless that is in the way of the sizes of clusters, if these have
/// bounds. Throws InvalidArgument where sizes, pairs and groups cannot all be kept.
RowNodes nodes_for(const Input& input, const Options& options, ThreadTeam& team);

/// The bounds on the sizes of clusters, for nodes; none if there are none.
std::optional<SizeBounds> size_bounds_of(const Options& options, const RowNodes& nodes);

/// From a solution to one that keeps the bounds.
Solution within_sizes(const Prepared& prepared, const std::optional<Constraints>& constraints,
                      const SizeBounds& bounds, Solution solution, const Context& context);

/// Labels of nodes that keep bounds and constraints, near `labels`, found without a problem.
std::vector<ClusterId> fit_to_sizes(const std::vector<ClusterId>& labels, const SizeBounds& bounds,
                                    const std::optional<Constraints>& constraints);

/// With what is automatic in the similarity chosen (chosen_similarity()).
Options with_chosen_similarity(const Input& input, Options options, ThreadTeam& team);

/// Similarities, shift and problem. Learned feature weights are used only if the grouping they
/// lead to without any pairs satisfies significantly more pairs than that of equal weights. Throws
/// Interrupted if stopped before the similarities of features are known.
Prepared prepare(const Input& input, const Options& options, const Context& context);

/// Searches under the constraints: evidence is scaled to the problem, nodes are contracted,
/// conflicts repaired. Returns labels of the objects. An interruptible one throws Interrupted if
/// stopped before the search begins.
Solution solve(const Prepared& prepared, const std::optional<Constraints>& constraints,
               const Context& context, bool is_interruptible = false);

/// The same from the labels of a solution to nearly the same problem: a fraction of the work on
/// large data.
Solution solve_again(const Prepared& prepared, const std::optional<Constraints>& constraints,
                     const std::vector<ClusterId>& labels, const Context& context);

/// The Result a caller gets for the rows of `input` from a solution for their nodes, with warnings
/// about what makes it doubtful; all but the seconds of the search and in total. Rows without a
/// node are labelled -1. `options` are those of the caller.
Result make_result(const Input& input, const Options& options, const RowNodes& nodes,
                   const Prepared& prepared, Solution solution, const Context& context);

/// The groupings along the path of strengths, of `objects` rows; null where there was no path.
std::shared_ptr<const PathLabels> path_labels_of(const Prepared& prepared, const RowNodes& nodes,
                                                 std::size_t objects);

/// A result for nodes becomes one for their rows.
void to_rows(Result& result, const Input& input, const Options& options, const RowNodes& nodes);

}  // namespace shiftcut

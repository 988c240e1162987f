// From a solution to the Result a caller gets: counts, names, scores, and warnings about what makes
// the grouping doubtful.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "constraints/pairs.hpp"
#include "core/message.hpp"
#include "core/partition.hpp"
#include "run/pipeline.hpp"
#include "run/tuning.hpp"

namespace shiftcut {

namespace {

using namespace run_tuning;

// What makes a grouping doubtful.
void add_warnings(const Result& result, const Options& options, std::vector<Message>& out) {
  const auto asked = result.clusters_asked;
  if (asked && result.clusters_found < *asked) {
    const bool products = result.similarity == "linear" || result.similarity == "cosine";
    const std::string advice =
        products ? "{similarity=neighbors}, or a {shift_strength} a little above 1"
        : result.shift_path.empty()
            ? "a larger shift ({shift=constant=A} or a larger {shift_strength})"
            : "a larger {shift_strength} (shift.path in the JSON shows what each one gives)";
    out.push_back(message(
        "fewer_clusters", "clusters",
        "{} clusters were asked for and {} found: K is an upper bound, and {} this cost is lower "
        "with fewer. Try " +
            advice + ".",
        *asked, result.clusters_found,
        products ? "with a linear or cosine similarity (where clusters near the centre of the data "
                   "earn nothing)"
                 : "on these data"));
  }
  if (result.clusters_found == 1 && result.objects > 1 && (!asked || *asked > 1)) {
    const bool is_unshifted = options.shift.kind == ShiftKind::none || options.shift.strength == 0;
    out.push_back(message(
        "one_cluster", is_unshifted ? "shift" : "shift_strength",
        is_unshifted ? "All objects ended up in one cluster: without a shift, similarities that "
                       "are not negative favour that. Try {shift=adaptive}."
                     : "All objects ended up in one cluster. Try a larger {shift_strength}."));
  }
  if (!asked && result.objects > 2 && result.clusters_found == result.objects) {
    out.push_back(message("all_singletons", "shift",
                          "Every object ended up in a cluster of its own: the shift outweighs the "
                          "similarities. Try a smaller one."));
  }
  const bool is_restarted =
      options.search.method != Method::automatic && options.search.method != Method::multilevel;
  if (is_restarted && result.restarts.size() >= 5 && result.stop_reason == StopReason::converged) {
    const double close = result.cost + 1e-9 * std::abs(result.cost);
    const auto reached = std::count_if(result.restarts.begin(), result.restarts.end(),
                                       [&](const Restart& r) { return r.cost <= close; });
    if (reached == 1) {
      out.push_back(message(
          "single_best_restart", "restarts",
          "Only 1 of {} restarts reached the lowest cost; more ({restarts}) may find a lower one.",
          result.restarts.size()));
    }
  }
  if (result.stop_reason == StopReason::max_seconds) {
    out.push_back(message("stopped", "max_seconds",
                          "Stopped by the time limit: this is the best grouping so far."));
  } else if (result.stop_reason == StopReason::interrupted) {
    out.push_back(message("stopped", "", "Interrupted: this is the best grouping so far."));
  }
}

// How the strength of the shift was found.
void add_path_warnings(const Result& result, bool has_plateau, std::vector<Message>& out) {
  if (result.shift_path.empty()) {
    return;
  }
  if (!has_plateau) {
    out.push_back(
        message("unstable_number", "clusters",
                "No number of clusters is stable over a range of shift strengths, so {} is a "
                "guess. See shift.path in the JSON, or set a number with {clusters}.",
                result.clusters_found));
  }
  const auto point =
      std::ranges::find(result.shift_path, result.shift_strength, &PathPoint::strength);
  if (point != result.shift_path.end() && point->criterion > kPoorSeparation &&
      result.clusters_found > 1 && result.objects >= kFewObjects) {
    out.push_back(message(
        "not_well_separated", "",
        "The clusters are not well separated: at every shift strength much of the similarity lies "
        "between them. Other groupings may be as good."));
  }
}

LinkSummary summary_of(const LinkOptions& given, const Constraints& constraints, double unit,
                       const std::vector<ClusterId>& labels) {
  LinkSummary summary;
  summary.must_link = constraints.must;
  summary.cannot_link = constraints.cannot;
  summary.uncertain = constraints.uncertain;
  const auto grouped = [](std::int32_t group) { return group >= 0; };
  const std::vector<std::int32_t>& groups = given.one_per_cluster;
  summary.in_groups = static_cast<std::size_t>(std::ranges::count_if(groups, grouped));
  const std::set<std::int32_t> distinct(groups.begin(), groups.end());
  summary.groups = static_cast<std::size_t>(std::ranges::count_if(distinct, grouped));
  for (const PairEvidence& pair : evidence_of(given, unit)) {
    const bool are_together = labels[pair.a] == labels[pair.b];
    summary.satisfied += are_together == (pair.value > 0) ? 1 : 0;
    summary.cost -= are_together ? 2 * pair.value : 0;
  }
  return summary;
}

}  // namespace

Result make_result(const Input& input, const Prepared& prepared,
                   const std::optional<Constraints>& constraints, Solution solution,
                   const Context& context) {
  const ThreadTeam& team = context.team;
  const StopReason stop_reason = context.stop.reason();
  const Options& options = prepared.options;
  const bool is_repaired = solution.is_repaired;
  Result result;
  const Similarities& similarities = prepared.similarities;
  if (constraints) {
    result.links =
        summary_of(options.links, *constraints,
                   evidence_unit(similarities, prepared.problem, context.team), solution.labels);
  }
  Partition partition = by_decreasing_size(solution.labels);
  result.objects = input.objects();
  result.clusters_asked = options.search.clusters;
  result.clusters_found = partition.sizes.size();
  result.sizes = std::move(partition.sizes);
  result.labels = std::move(partition.labels);
  result.cost = solution.cost + 0.0;  // never -0
  result.stop_reason = stop_reason;
  result.restarts = std::move(solution.restarts);
  result.shift_kind = shift_name(options.shift.kind == ShiftKind::by_default &&
                                         options.similarity.weights == Weights::log_odds
                                     ? ShiftKind::none
                                     : options.shift.kind);
  const ShiftPath& path = prepared.path;
  result.shift_strength = path.points.empty() ? options.shift.strength : path.strength;
  if (options.shift.kind == ShiftKind::constant) {
    result.shift_constant = options.shift.constant;
  }
  result.shift_path = path.points;
  result.similarity = similarities.similarity;
  result.distance = similarities.distance;
  result.scale = similarities.scale;
  result.scaling = similarities.scaling;
  result.learned = prepared.learned;
  result.seed = options.search.seed;
  result.threads = team.threads();
  if (!input.truth.empty()) {
    result.scores = score(input.truth, result.labels);
  }
  result.warnings = input.notes;
  result.warnings.insert(result.warnings.end(), similarities.warnings.begin(),
                         similarities.warnings.end());
  add_warnings(result, options, result.warnings);
  add_path_warnings(result, path.has_plateau, result.warnings);
  if (team.missing() > 0) {
    result.warnings.push_back(
        message("fewer_threads", "threads",
                "Only {} of {} threads could be started, which makes the run slower but does not "
                "change the result. A limit on threads or memory (ulimit) is the usual cause.",
                team.threads(), team.threads() + team.missing()));
  }
  if (is_repaired && stop_reason == StopReason::converged) {
    result.warnings.push_back(message(
        "repaired_groups", "clusters",
        "Objects of the same group kept ending up in one cluster, and some were finally moved just "
        "to separate them: moving single objects may lower the cost. Try without {clusters}."));
  }
  result.seconds.similarity = prepared.similarity_seconds;
  result.seconds.shift = result.shift_path.empty() ? 0 : prepared.shift_seconds;
  return result;
}

}  // namespace shiftcut

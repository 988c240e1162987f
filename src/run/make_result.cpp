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
void add_warnings(const Result& result, const Options& options, std::size_t nodes,
                  bool is_like_noise, std::vector<Message>& out) {
  const auto asked = result.clusters_asked;
  if (asked && *asked > nodes) {
    out.push_back(message("fewer_clusters", "clusters",
                          "{} clusters were asked for, but there are only {} different rows, and "
                          "equal rows share a cluster.",
                          *asked, nodes));
  } else if (asked && result.clusters_found < *asked) {
    const bool products = result.similarity == "linear" || result.similarity == "cosine";
    const std::string advice =
        products ? std::string("{similarity=neighbors}, or a {shift_strength} a little above 1")
        : result.shift_path.empty()
            ? std::string(result.similarity == "precomputed" ? "{shift=auto} on a graph, or "
                                                             : "") +
                  "a larger shift ({shift=constant=A} or a larger {shift_strength})"
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
  if (result.clusters_found == 1 && nodes > 1 && (!asked || *asked > 1) && !is_like_noise) {
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

void add_size_warnings(const Result& result, std::vector<Message>& out) {
  if (!result.size_bounds) {
    return;
  }
  const SizeSummary& bounds = *result.size_bounds;
  const double more = result.cost - bounds.unbounded_cost;
  if (more > kCostlySizes * std::abs(bounds.unbounded_cost)) {
    out.push_back(message(
        "costly_sizes", bounds.max_size > 0 ? "max_size" : "min_size",
        "The sizes of clusters asked for do not fit these data well: the cost is {}, without "
        "{min_size} and {max_size} {}, and {} of {} objects had to go to another cluster.",
        fmt::format("{:.6g}", result.cost), fmt::format("{:.6g}", bounds.unbounded_cost),
        bounds.moved, result.objects));
  }
}

// How the strength of the shift was found.
void add_path_warnings(const Result& result, const ShiftPath& path, std::vector<Message>& out) {
  if (result.shift_path.empty()) {
    return;
  }
  if (path.is_like_noise && !result.clusters_asked) {
    out.push_back(message(
        "no_clusters", "clusters",
        "No clusters found: nothing here stands out from what data without any would show (level "
        "5%), so all objects are in one cluster. Set a number with {clusters} to divide them "
        "anyway."));
    return;
  }
  if (path.is_like_noise) {
    out.push_back(message(
        "like_noise", "clusters",
        "Different ways of looking at the data agree on these clusters no more than they would on "
        "data without any (level 5%): treat them as a division, not as a discovery."));
  }
  if (!path.has_plateau) {
    out.push_back(
        message("unstable_number", "clusters",
                "No number of clusters is stable over a range of shift strengths, so {} is a "
                "guess. See shift.path in the JSON, or set a number with {clusters}.",
                result.clusters_found));
  }
  if (path.criterion > kPoorSeparation && result.clusters_found > 1 &&
      result.objects >= kFewObjects) {
    out.push_back(message(
        "not_well_separated", "",
        "The clusters are not well separated: at every shift strength much of the similarity lies "
        "between them. Other groupings may be as good."));
  }
}

// How many voters agree, and where they do not.
Agreement agreement_of(const ShiftPath& path, const RowNodes& nodes, const Result& result) {
  std::vector<float> support(result.labels.size(), 1.0F);  // rows without a node are not judged
  for (ObjectId row = 0; row < support.size(); ++row) {
    support[row] = nodes.of(row) == kNoNode ? 1.0F : path.support[nodes.of(row)];
  }
  Agreement agreement{path.voters,
                      path.agreeing,
                      path.score,
                      path.is_from_tree ? "tree" : "path",
                      std::vector<double>(result.sizes.size(), 0.0),
                      {},
                      0};
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    if (result.labels[i] < 0) {
      continue;
    }
    const auto k = static_cast<std::size_t>(result.labels[i]);
    agreement.clusters[k] += static_cast<double>(support[i]) / static_cast<double>(result.sizes[k]);
    if (support[i] < kContested) {
      agreement.contested.push_back(i);
    }
  }
  agreement.contested_count = agreement.contested.size();
  std::ranges::stable_sort(agreement.contested, {}, [&](std::size_t i) { return support[i]; });
  agreement.contested.resize(std::min(agreement.contested.size(), kMostContested));
  return agreement;
}

LinkSummary summary_of(const LinkOptions& given, double unit,
                       const std::vector<ClusterId>& labels) {
  LinkSummary summary;
  const auto certain = [](const std::vector<ObjectPair>& pairs) {
    return static_cast<std::size_t>(std::ranges::count_if(pairs, is_certain));
  };
  summary.must_link = certain(given.must_link);
  summary.cannot_link = certain(given.cannot_link);
  summary.uncertain =
      given.must_link.size() + given.cannot_link.size() - summary.must_link - summary.cannot_link;
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

Result make_result(const Input& input, const Options& given, const RowNodes& nodes,
                   const Prepared& prepared, Solution solution, const Context& context) {
  const ThreadTeam& team = context.team;
  const StopReason stop_reason = context.stop.reason();
  const Options& options = prepared.options;
  const bool is_repaired = solution.is_repaired;
  Result result;
  const Similarities& similarities = prepared.similarities;
  if (!given.links.empty()) {
    const double unit = evidence_unit(similarities, prepared.problem, context.team);
    result.links = summary_of(given.links, unit, nodes.row_labels(solution.labels));
    const double within_nodes = nodes.evidence_cost(given.links, unit);
    solution.cost += within_nodes;
    if (solution.unbounded_cost) {
      *solution.unbounded_cost += within_nodes;
    }
    for (Restart& restart : solution.restarts) {
      restart.cost += within_nodes;
    }
  }
  Partition partition = partition_of_rows(nodes, solution.labels);
  result.objects = input.objects();
  result.clusters_asked = given.search.clusters;
  result.clusters_found = partition.sizes.size();
  result.sizes = std::move(partition.sizes);
  result.labels = std::move(partition.labels);
  result.cost = solution.cost + 0.0;  // never -0
  result.stop_reason = stop_reason;
  result.restarts = std::move(solution.restarts);
  const bool is_linkage = similarities.linkage != nullptr;
  result.shift_kind = shift_name(is_linkage ? ShiftKind::linkage : options.shift.kind);
  const ShiftPath& path = prepared.path;
  result.shift_strength = path.points.empty() ? options.shift.strength : path.strength;
  if (options.shift.kind == ShiftKind::constant) {
    result.shift_constant = options.shift.constant;
  }
  if (is_linkage) {
    const LinkageShift& linkage = *similarities.linkage;
    result.shift_constant = linkage.absent;
    result.linkage = {-linkage.absent, linkage.base_rate, linkage.raised};
  }
  result.shift_path = path.points;
  result.judged_numbers = path.judged;
  result.dimension = path.dimension;
  if (path.voters > 0 && solution.moved == 0) {
    result.agreement = agreement_of(path, nodes, result);
  }
  result.similarity = similarities.similarity;
  result.distance = similarities.distance;
  result.scale = similarities.scale;
  result.scale_reason = similarities.scale_reason;
  result.metric = similarities.metric;
  result.scaling = similarities.scaling;
  result.learned = prepared.learned;
  if (solution.unbounded_cost) {
    result.size_bounds = {given.search.min_size, given.search.max_size, *solution.unbounded_cost,
                          solution.moved};
  }
  result.seed = options.search.seed;
  result.threads = team.threads();
  if (!input.truth.empty() && !nodes.leave_rows()) {
    result.scores = score(input.truth, result.labels);
  }
  result.warnings = input.notes;
  result.warnings.insert(result.warnings.end(), similarities.warnings.begin(),
                         similarities.warnings.end());
  if (nodes.size() == 1 && input.objects() > 1) {
    result.warnings.push_back(message("equal_rows", "",
                                      "All rows are equal, so nothing tells the objects apart: "
                                      "they are one cluster."));
  }
  add_warnings(result, options, nodes.size(), path.is_like_noise, result.warnings);
  add_path_warnings(result, path, result.warnings);
  add_size_warnings(result, result.warnings);
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

std::shared_ptr<const PathLabels> path_labels_of(const Prepared& prepared, const RowNodes& nodes,
                                                 std::size_t objects) {
  const PathLabels& of_nodes = prepared.path.groupings;
  if (of_nodes.points() == 0) {
    return nullptr;
  }
  auto path = std::make_shared<PathLabels>();
  path->of_nodes = of_nodes.of_nodes;
  path->node_of.resize(objects, PathLabels::kNoNode);
  for (ObjectId row = 0; row < objects; ++row) {
    if (nodes.of(row) != kNoNode) {
      path->node_of[row] = of_nodes.node_of[nodes.of(row)];
    }
  }
  return path;
}

void to_rows(Result& result, const Input& input, const Options& options, const RowNodes& nodes) {
  if (nodes.are_rows()) {
    return;
  }
  Partition partition =
      partition_of_rows(nodes, std::vector<ClusterId>(result.labels.begin(), result.labels.end()));
  result.objects = input.objects();
  result.clusters_asked = options.search.clusters;
  result.sizes = std::move(partition.sizes);
  result.labels = std::move(partition.labels);
  if (!input.truth.empty() && !nodes.leave_rows()) {
    result.scores = score(input.truth, result.labels);
  }
  result.warnings.insert(result.warnings.begin(), input.notes.begin(), input.notes.end());
}

}  // namespace shiftcut

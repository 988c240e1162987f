#include "run/make_result.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/partition.hpp"

namespace shiftcut {

namespace {

constexpr double kMuchLeak = 0.25;       // of the path's criterion
constexpr std::size_t kFewObjects = 20;  // of which a path says little

// Sentences on what makes an answer doubtful.
void add_warnings(const Result& result, const Options& options, std::vector<std::string>& out) {
  const auto asked = result.clusters_asked;
  if (asked && result.clusters_found < *asked) {
    const bool products = result.similarity == "linear" || result.similarity == "cosine";
    out.push_back(fmt::format(
        "{} clusters were asked for and {} found: K is an upper bound, and {} this cost is lower "
        "with fewer. Try {}.",
        *asked, result.clusters_found,
        products ? "with a linear or cosine similarity (where clusters near the centre of the data "
                   "earn nothing)"
                 : "on these data",
        products ? "--similarity neighbors, or a --shift-strength a little above 1"
        : result.shift_path.empty()
            ? "a larger shift (--shift constant=A or a larger --shift-strength)"
            : "a larger --shift-strength (shift.path in the JSON shows what each one gives)"));
  }
  if (result.clusters_found == 1 && result.objects > 1 && (!asked || *asked > 1)) {
    out.emplace_back(options.shift.kind == ShiftKind::none || options.shift.strength == 0
                         ? "All objects ended in one cluster: without a shift, similarities that "
                           "are not negative "
                           "favour that. Try --shift adaptive."
                         : "All objects ended in one cluster. Try a larger --shift-strength.");
  }
  if (!asked && result.objects > 2 && result.clusters_found == result.objects) {
    out.emplace_back(
        "Every object ended in a cluster of its own: the shift outweighs the similarities. Try a "
        "smaller one.");
  }
  const bool is_restarted =
      options.search.method != Method::automatic && options.search.method != Method::multilevel;
  if (is_restarted && result.restarts.size() >= 5 && result.stop_reason == StopReason::converged) {
    const double close = result.cost + 1e-9 * std::abs(result.cost);
    const auto reached = std::count_if(result.restarts.begin(), result.restarts.end(),
                                       [&](const Restart& r) { return r.cost <= close; });
    if (reached == 1) {
      out.push_back(fmt::format(
          "Only 1 of {} restarts reached the lowest cost; more (--restarts) may find a lower one.",
          result.restarts.size()));
    }
  }
  if (result.stop_reason == StopReason::max_seconds) {
    out.emplace_back("Stopped by the time limit: this is the best grouping so far.");
  } else if (result.stop_reason == StopReason::interrupted) {
    out.emplace_back("Interrupted: this is the best grouping so far.");
  }
}

// Sentences on how the strength of the shift was found.
void add_path_warnings(const Result& result, bool has_plateau, std::vector<std::string>& out) {
  if (result.shift_path.empty()) {
    return;
  }
  if (!has_plateau) {
    out.push_back(fmt::format(
        "No number of clusters lasts over a stretch of shift strengths, so {} is a guess. See "
        "shift.path in the JSON, or ask for a number with -k.",
        result.clusters_found));
  }
  const auto point =
      std::ranges::find(result.shift_path, result.shift_strength, &PathPoint::strength);
  if (point != result.shift_path.end() && point->criterion > kMuchLeak &&
      result.clusters_found > 1 && result.objects >= kFewObjects) {
    out.emplace_back(
        "The clusters are not well separated: at every shift strength much of the similarity lies "
        "between them. Other groupings may be as good.");
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
  const auto count = [&](const std::vector<ObjectPair>& pairs, bool together) {
    for (const ObjectPair& pair : pairs) {
      const bool are = labels[pair.a] == labels[pair.b];
      if (pair.weight != ObjectPair::kCertain) {
        summary.kept += are == together ? 1 : 0;
        summary.cost -= are ? 2 * unit * (together ? pair.weight : -pair.weight) : 0;
      }
    }
  };
  count(given.must_link, true);
  count(given.cannot_link, false);
  return summary;
}

}  // namespace

Result result_of(const Input& input, const Prepared& prepared,
                 const std::optional<Constraints>& constraints, Solution found,
                 StopReason stop_reason, ThreadTeam& team) {
  const Options& options = prepared.options;
  const bool is_repaired = found.is_repaired;
  Result result;
  if (constraints) {
    result.links =
        summary_of(options.links, *constraints, pair_unit(prepared.made, team), found.labels);
  }
  Partition partition = by_decreasing_size(found.labels);
  result.objects = input.objects();
  result.clusters_asked = options.search.clusters;
  result.clusters_found = partition.sizes.size();
  result.sizes = std::move(partition.sizes);
  result.labels = std::move(partition.labels);
  result.cost = found.cost + 0.0;  // never -0
  result.stop_reason = stop_reason;
  result.restarts = std::move(found.restarts);
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
  const MadeProblem& made = prepared.made;
  result.similarity = made.similarity;
  result.distance = made.distance;
  result.scale = made.scale;
  result.scaling = made.scaling;
  result.neighbors = made.neighbors;
  result.learned = prepared.learned;
  result.seed = options.search.seed;
  result.threads = team.threads();
  if (!input.truth.empty()) {
    result.scores = score(input.truth, result.labels);
  }
  result.warnings = input.notes;
  result.warnings.insert(result.warnings.end(), made.warnings.begin(), made.warnings.end());
  add_warnings(result, options, result.warnings);
  add_path_warnings(result, path.has_plateau, result.warnings);
  if (team.missing() > 0) {
    result.warnings.push_back(fmt::format(
        "Only {} of {} threads could be started, which made the run slower and changed nothing "
        "else. A limit on threads or memory (ulimit) is the usual cause.",
        team.threads(), team.threads() + team.missing()));
  }
  if (is_repaired && stop_reason == StopReason::converged) {
    result.warnings.emplace_back(
        "Objects of one group kept meeting, and some were moved in the end just to part them: "
        "moving single objects may lower the cost. Try without -k.");
  }
  result.seconds.similarity = prepared.similarity_seconds;
  result.seconds.shift = result.shift_path.empty() ? 0 : prepared.path_seconds;
  return result;
}

}  // namespace shiftcut

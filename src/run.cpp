// input -> similarity view -> shift -> problem -> search -> result.
#include "shiftcut/run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "core/partition.hpp"
#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "input/check_input.hpp"
#include "links/links.hpp"
#include "problem/make_problem.hpp"
#include "search/search.hpp"
#include "search/shift_path.hpp"

namespace shiftcut {

namespace {

constexpr double kMuchLeak = 0.25;       // of the path's criterion
constexpr std::size_t kFewObjects = 20;  // of which a path says little

void check_options(const Input& input, const Options& options) {
  const std::size_t n = input.objects();
  const SearchOptions& search = options.search;
  if (n == 0) {
    throw std::invalid_argument(
        fmt::format("{}: found no objects; allowed: 1 or more", input.name));
  }
  if (search.clusters && (*search.clusters < 1 || *search.clusters > n)) {
    throw std::invalid_argument(
        fmt::format("--clusters: found {}; allowed: 1 to {}, the number of objects, or auto",
                    *search.clusters, n));
  }
  if (search.restarts < 1) {
    throw std::invalid_argument(
        fmt::format("--restarts: found {}; allowed: 1 or more", search.restarts));
  }
  if (search.threads < 0 || search.threads > 1024) {
    throw std::invalid_argument(
        fmt::format("--threads: found {}; allowed: 1 to 1024, or 0 for all", search.threads));
  }
  if (!(search.max_seconds >= 0)) {
    throw std::invalid_argument(
        fmt::format("--max-seconds: found {}; allowed: a number above 0", search.max_seconds));
  }
  const auto& sigma = options.similarity.sigma;
  if (sigma && !(*sigma > 0 && std::isfinite(*sigma))) {
    throw std::invalid_argument(
        fmt::format("--sigma: found {}; allowed: a number above 0", *sigma));
  }
  if (!input.truth.empty() && input.truth.size() != n) {
    throw std::invalid_argument(
        fmt::format("{}: found {} known classes; allowed: {}, one an object, or none", input.name,
                    input.truth.size(), n));
  }
}

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

// With a path over its strengths, if that was asked for or is usual; then `made` has the one
// chosen.
ShiftPath choose_shift(MadeProblem& made, const Options& options, const std::string& name,
                       ThreadTeam& team, const Control& control, StopCheck& stop) {
  const ShiftOptions& shift = options.shift;
  const bool is_usual = shift.kind == ShiftKind::usual && shift.strength == 1;
  if (shift.kind != ShiftKind::automatic && !(is_usual && made.similarity == "neighbors")) {
    return {};
  }
  const auto* graph = std::get_if<GraphProblem>(&made.problem);
  if (graph == nullptr || graph->has_negative_weight()) {
    throw std::invalid_argument(fmt::format(
        "--shift: found auto for {}; allowed: auto for features under --similarity neighbors and "
        "for graphs without negative weights, else adaptive, none, constant=A or matrix=FILE",
        graph == nullptr ? made.similarity + " similarities" : name + " with negative weights"));
  }
  ShiftPath path = shift_path(*graph, options.search, team, control, stop);
  if (!path.points.empty()) {
    made.problem = graph->with_strength(path.strength);
  }
  return path;
}

// ---- Pairs that somebody knows ----

std::string name_of(const Input& input, ObjectId object) {
  return input.ids.empty() ? fmt::format("{}", object) : fmt::format("'{}'", input.ids[object]);
}

// The search on the nodes of `links`; labels of the objects come back.
Found search_linked(const MadeProblem& made, const Links& links, SearchOptions options,
                    const std::vector<ClusterId>& start, ThreadTeam& team, const Control& control,
                    StopCheck& stop) {
  const Problem nodes = linked(made.problem, links, team);
  if (options.clusters) {
    options.clusters = std::min(*options.clusters, links.nodes);
  }
  std::vector<ClusterId> node_start(start.empty() ? 0 : links.nodes);
  for (ObjectId i = 0; i < start.size(); ++i) {
    node_start[links.groups[i]] = start[i];
  }
  Found found = search(nodes, options, node_start, team, control, stop);
  if (links.apart != nullptr && !links.apart->holds(found.labels)) {  // stopped before it could
    links.apart->mend(found.labels, options.clusters);
    found.cost = cost(nodes, found.labels, team);
  }
  std::vector<ClusterId> labels(links.groups.size());
  for (ObjectId i = 0; i < labels.size(); ++i) {
    labels[i] = found.labels[links.groups[i]];
  }
  found.labels = std::move(labels);
  return found;
}

LinkSummary summary_of(const LinkOptions& given, const Links& links, double unit,
                       const std::vector<ClusterId>& labels) {
  LinkSummary summary{links.must, links.cannot, links.uncertain, 0, 0};
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

Options paper_preset() {
  Options options;
  options.similarity.scale = Scale::standard;
  options.similarity.kind = Similarity::linear;
  options.similarity.distance = Distance::euclidean;
  options.shift.kind = ShiftKind::adaptive;
  options.search.method = Method::local_search;
  options.search.restarts = 100;
  return options;
}

Result run(const Input& input, const Options& options, const Control& control) {
  const Clock::time_point start = Clock::now();
  check_options(input, options);
  if (!input.checked) {
    check_input(input, Control{});  // quick: not worth stopping before there is an answer
  }
  std::optional<Links> links;
  if (!options.links.empty()) {
    links = make_links(options.links, input.objects(), options.search.clusters,
                       [&](ObjectId object) { return name_of(input, object); });
  }
  ThreadTeam team(options.search.threads);
  StopCheck stop(control, start, options.search.max_seconds);

  MadeProblem made = make_problem(input, options, team, control);
  const double similarity_seconds = seconds_since(start);
  ShiftPath path = choose_shift(made, options, input.name, team, control, stop);
  const double path_seconds = seconds_since(start) - similarity_seconds;
  Result result;
  Found found;
  if (links) {
    const double unit = pair_unit(made, team);
    for (double& value : links->evidence.values) {
      value *= unit;
    }
    found = search_linked(made, *links, options.search, path.labels, team, control, stop);
    result.links = summary_of(options.links, *links, unit, found.labels);
  } else {
    found = search(made.problem, options.search, path.labels, team, control, stop);
  }

  Partition partition = by_decreasing_size(found.labels);
  result.objects = input.objects();
  result.clusters_asked = options.search.clusters;
  result.clusters_found = partition.sizes.size();
  result.sizes = std::move(partition.sizes);
  result.labels = std::move(partition.labels);
  result.cost = found.cost + 0.0;  // never -0
  result.stop_reason = stop.reason();
  result.restarts = std::move(found.restarts);
  result.shift_kind = shift_name(options.shift.kind == ShiftKind::usual &&
                                         options.similarity.weights == Weights::log_odds
                                     ? ShiftKind::none
                                     : options.shift.kind);
  result.shift_strength = path.points.empty() ? options.shift.strength : path.strength;
  if (options.shift.kind == ShiftKind::constant) {
    result.shift_constant = options.shift.constant;
  }
  result.shift_path = std::move(path.points);
  result.similarity = std::move(made.similarity);
  result.distance = std::move(made.distance);
  result.scale = std::move(made.scale);
  result.scaling = std::move(made.scaling);
  result.seed = options.search.seed;
  result.threads = team.threads();
  if (!input.truth.empty()) {
    result.scores = score(input.truth, result.labels);
  }
  result.warnings = input.notes;
  result.warnings.insert(result.warnings.end(), made.warnings.begin(), made.warnings.end());
  add_warnings(result, options, result.warnings);
  add_path_warnings(result, path.has_plateau, result.warnings);
  result.seconds.similarity = similarity_seconds;
  result.seconds.shift = result.shift_path.empty() ? 0 : path_seconds;
  result.seconds.total = seconds_since(start);
  result.seconds.search = result.seconds.total - similarity_seconds - result.seconds.shift;
  return result;
}

}  // namespace shiftcut

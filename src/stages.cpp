#include "stages.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include <fmt/format.h>

#include "links/kept_pairs.hpp"
#include "search/multilevel.hpp"
#include "search/search.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kFewNumbers = 200'000;  // of a graph: solving anew takes a moment
constexpr int kFewRestarts = 3;               // to judge by
constexpr std::uint64_t kStream = std::uint64_t{1} << 41;  // of random numbers

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
  ShiftPath path =
      shift_path(*graph, options.search, options.links.learn ? options.links : LinkOptions{}, team,
                 control, stop);
  if (!path.points.empty()) {
    made.problem = graph->with_strength(path.strength);
  }
  return path;
}

std::string name_of(const Input& input, ObjectId object) {
  return input.ids.empty() ? fmt::format("{}", object) : fmt::format("'{}'", input.ids[object]);
}

// The scaled rows whose features are weighed, where answers can tell how.
std::optional<LearnedWeights> learned_from(const Input& input, const Options& options,
                                           ThreadTeam& team) {
  const auto* dense = std::get_if<DenseArray>(&input.values);
  if (!options.links.learn || input.shape != Shape::features || dense == nullptr ||
      !options.similarity.feature_weights.empty()) {
    return std::nullopt;
  }
  const Scaling scaling = scaling_of(*dense, options.similarity.scale, input.name, team);
  return learn_weights(FeatureRows::scaled(*dense, scaling), options.links, options.search.seed,
                       team);
}

Prepared prepared_as(const Input& input, const Options& options, ThreadTeam& team,
                     const Control& control, StopCheck& stop) {
  const Clock::time_point start = Clock::now();
  MadeProblem made = make_problem(input, options, team, control);
  const double similarity_seconds = seconds_since(start);
  ShiftPath path = choose_shift(made, options, input.name, team, control, stop);
  const double path_seconds = seconds_since(start) - similarity_seconds;
  return {options, {}, std::move(made), std::move(path), similarity_seconds, path_seconds};
}

// What the data alone say.
std::vector<ClusterId> labels_without_pairs(const Prepared& prepared, ThreadTeam& team,
                                            const Control& control, StopCheck& stop) {
  SearchOptions options = prepared.options.search;
  options.restarts = std::min(options.restarts, kFewRestarts);
  options.max_seconds = 0;
  return search(prepared.made.problem, options, prepared.path.labels, team, control, stop).labels;
}

// ---- Searches on nodes ----

// Searches labels of nodes, those given being a start or none.
using NodeSearch =
    std::function<Found(const Problem&, const SearchOptions&, const std::vector<ClusterId>& start)>;

std::vector<ClusterId> of_nodes(const std::vector<ClusterId>& labels, const Links& links) {
  std::vector<ClusterId> out(labels.empty() ? 0 : links.nodes);
  for (ObjectId i = 0; i < labels.size(); ++i) {
    out[links.groups[i]] = labels[i];
  }
  return out;
}

std::vector<ClusterId> of_objects(const std::vector<ClusterId>& labels, const Links& links) {
  std::vector<ClusterId> out(links.groups.size());
  for (ObjectId i = 0; i < out.size(); ++i) {
    out[i] = labels[links.groups[i]];
  }
  return out;
}

// What a conflict costs at first: more than any edge, yet little enough to be walked over.
double strong_edge(const GraphProblem& problem) {
  double largest = 0;
  for (const double weight : problem.graph().values) {
    largest = std::max(largest, std::abs(weight));
  }
  return 2 * largest;
}

// Conflicts that nothing outweighs make valleys of their own, which on a graph a search had better
// walk over first: with conflicts that can be outweighed, and from there with the real ones.
Found search_nodes(const Prepared& prepared, const Links& links, std::vector<ClusterId> start,
                   ThreadTeam& team, const NodeSearch& search_from) {
  SearchOptions options = prepared.options.search;
  if (options.clusters) {
    options.clusters = std::min(*options.clusters, links.nodes);
  }
  start = of_nodes(start, links);
  const auto* graph = std::get_if<GraphProblem>(&prepared.made.problem);
  if (links.apart != nullptr && graph != nullptr && options.method == Method::automatic) {
    const Problem soft = graph->linked(softened(links, strong_edge(*graph)));
    start = search_from(soft, options, start).labels;
    links.apart->mend(start, options.clusters);
  }
  const Problem nodes = linked(prepared.made.problem, links, team);
  Found found = search_from(nodes, options, start);
  if (links.apart != nullptr && !links.apart->holds(found.labels)) {  // stopped before it could
    links.apart->mend(found.labels, options.clusters);
    found.cost = cost(nodes, found.labels, team);
  }
  found.labels = of_objects(found.labels, links);
  return found;
}

// From labels that were an answer: where all is small, as much as from none.
Found search_again(const Problem& problem, const SearchOptions& options,
                   const std::vector<ClusterId>& labels, ThreadTeam& team, const Control& control,
                   StopCheck& stop) {
  const auto* graph = std::get_if<GraphProblem>(&problem);
  const std::size_t numbers = graph != nullptr ? graph->graph().columns.size() : size(problem);
  if (graph != nullptr && numbers <= kFewNumbers) {
    return search(problem, options, labels, team, control, stop);
  }
  Rng rng(options.seed, kStream);
  if (graph != nullptr && graph->apart() == nullptr) {  // else the labels come from such a cycle
    return cycles(problem, labels, {options.clusters, MergeBy::cost, true}, 1, rng, team, stop);
  }
  Found found{labels, 0, {}};
  found.restarts.push_back(descend(problem, found.labels, options.clusters, rng, team, stop));
  found.cost = found.restarts.back().cost;
  return found;
}

}  // namespace

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

std::optional<Links> links_of(const Input& input, const Options& options) {
  if (options.links.empty()) {
    return std::nullopt;
  }
  return make_links(options.links, input.objects(), options.search.clusters,
                    [&](ObjectId object) { return name_of(input, object); });
}

void in_units(Links& links, double unit) {
  for (double& value : links.evidence.values) {
    value *= unit;
  }
}

Prepared prepare(const Input& input, const Options& options, ThreadTeam& team,
                 const Control& control, StopCheck& stop) {
  const Clock::time_point start = Clock::now();
  Prepared plain = prepared_as(input, options, team, control, stop);
  plain.learned = learned_from(input, options, team);
  if (!plain.learned || plain.learned->gain <= 0) {
    return plain;
  }
  Options weighed = options;
  weighed.similarity.feature_weights = plain.learned->weights;
  Prepared other = prepared_as(input, weighed, team, control, stop);
  const LinkOptions& pairs = options.links;
  if (surely_more(kept_pairs(pairs, labels_without_pairs(plain, team, control, stop)),
                  kept_pairs(pairs, labels_without_pairs(other, team, control, stop))) > 0) {
    other.learned = std::move(plain.learned);
    other.similarity_seconds = seconds_since(start) - other.path_seconds;
    return other;
  }
  *plain.learned = without_gain(plain.learned->weights.size());
  return plain;
}

Found solve(const Prepared& prepared, const std::optional<Links>& links, ThreadTeam& team,
            const Control& control, StopCheck& stop) {
  const auto search_from = [&](const Problem& problem, const SearchOptions& options,
                               const std::vector<ClusterId>& start) {
    return search(problem, options, start, team, control, stop);
  };
  const std::vector<ClusterId>& start = prepared.path.labels;
  return links ? search_nodes(prepared, *links, start, team, search_from)
               : search_from(prepared.made.problem, prepared.options.search, start);
}

Found solve_again(const Prepared& prepared, const std::optional<Links>& links,
                  const std::vector<ClusterId>& labels, ThreadTeam& team, const Control& control,
                  StopCheck& stop) {
  const auto search_from = [&](const Problem& problem, const SearchOptions& options,
                               const std::vector<ClusterId>& start) {
    return search_again(problem, options, start, team, control, stop);
  };
  return links ? search_nodes(prepared, *links, labels, team, search_from)
               : search_from(prepared.made.problem, prepared.options.search, labels);
}

}  // namespace shiftcut

#include "run/pipeline.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "constraints/satisfied_pairs.hpp"
#include "core/kernels/simd.hpp"
#include "core/text.hpp"
#include "multilevel/multilevel.hpp"
#include "search/constrained_search.hpp"
#include "search/search.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kFewNumbers = 200'000;  // of a graph: solving anew takes a moment
constexpr int kFewRestarts = 3;               // to judge by
constexpr int kInVain = 20;                   // attempts that end it before the time limit
constexpr std::uint64_t kStagesStream = std::uint64_t{1} << 41;  // of random numbers

// With a path over its strengths, if that was asked for or is the default; then `made` has the one
// chosen.
ShiftPath choose_shift(MadeProblem& made, const Options& options, const std::string& name,
                       const Context& context) {
  const ShiftOptions& shift = options.shift;
  const bool is_default = shift.kind == ShiftKind::by_default && shift.strength == 1;
  if (shift.kind != ShiftKind::automatic && !(is_default && made.similarity == "neighbors")) {
    return {};
  }
  const auto* graph = std::get_if<GraphProblem>(&made.problem);
  if (graph == nullptr || graph->has_negative_weight()) {
    throw std::invalid_argument(fmt::format(
        "--shift: found auto for {}; allowed: auto for features under --similarity neighbors and "
        "for graphs without negative weights, else adaptive, none, constant=A or matrix=FILE",
        graph == nullptr ? made.similarity + " similarities" : name + " with negative weights"));
  }
  ShiftPath path = shift_path(*graph, options.search,
                              options.links.learn ? options.links : LinkOptions{}, context);
  if (!path.points.empty()) {
    made.problem = graph->with_strength(path.strength);
  }
  return path;
}

std::string name_of(const Input& input, ObjectId object) {
  return input.ids.empty() ? fmt::format("{}", object) : quoted(input.ids[object]);
}

// The scaled rows whose features are weighed, where answers can tell how.
std::optional<LearnedWeights> learned_from(const Input& input, const Options& options,
                                           const Context& context) {
  const auto* dense = std::get_if<DenseArray>(&input.values);
  if (!options.links.learn || input.shape != Shape::features || dense == nullptr ||
      !options.similarity.feature_weights.empty()) {
    return std::nullopt;
  }
  const StopScope scope(context.team, context.stop);
  const Scaling scaling = scaling_of(*dense, options.similarity.scale, input.name, context.team);
  return learn_weights(FeatureRows::scaled(*dense, scaling), options.links, options.search.seed,
                       context.team);
}

// Matrices and graphs are there already: what is left to do takes a moment.
MadeProblem problem_of(const Input& input, const Options& options, const Context& context) {
  if (input.shape != Shape::features) {
    return make_problem(input, options, context.team, context.control());
  }
  const StopScope scope(context.team, context.stop);
  return make_problem(input, options, context.team, context.control());
}

Prepared prepared_as(const Input& input, const Options& options, const Context& context) {
  const Clock::time_point start = Clock::now();
  MadeProblem made = problem_of(input, options, context);
  const double similarity_seconds = seconds_since(start);
  ShiftPath path = choose_shift(made, options, input.name, context);
  const double path_seconds = seconds_since(start) - similarity_seconds;
  return {options, {}, std::move(made), std::move(path), similarity_seconds, path_seconds};
}

// What the data alone say.
std::vector<ClusterId> labels_without_pairs(const Prepared& prepared, const Context& context) {
  SearchOptions options = prepared.options.search;
  options.restarts = std::min(options.restarts, kFewRestarts);
  options.max_seconds = 0;
  return search(prepared.made.problem, options, prepared.path.labels, context).labels;
}

// Where answered pairs say that features differ in how much they count, and the grouping is surely
// better for it; else `plain` as it is.
Prepared with_learned_weights(Prepared& plain, const Input& input, const Options& options,
                              const Context& context) {
  const Clock::time_point start = Clock::now();
  std::optional<LearnedWeights> learned = learned_from(input, options, context);
  if (!learned || learned->gain <= 0) {
    plain.learned = std::move(learned);
    return std::move(plain);
  }
  Options weighed = options;
  weighed.similarity.feature_weights = learned->weights;
  Prepared other = prepared_as(input, weighed, context);
  const LinkOptions& pairs = options.links;
  if (significantly_more(satisfied_pairs(pairs, labels_without_pairs(plain, context)),
                         satisfied_pairs(pairs, labels_without_pairs(other, context))) > 0) {
    other.learned = std::move(learned);
    other.similarity_seconds =
        plain.similarity_seconds + plain.path_seconds + seconds_since(start) - other.path_seconds;
    return other;
  }
  plain.learned = without_gain(learned->weights.size());
  return std::move(plain);
}

// From labels that were an answer: where all is small, as much as from none.
Solution search_again(const Problem& problem, const SearchOptions& options,
                      const std::vector<ClusterId>& labels, const Context& context) {
  const auto* graph = std::get_if<GraphProblem>(&problem);
  const std::size_t numbers = graph != nullptr ? graph->graph().columns.size() : size(problem);
  if (graph != nullptr && numbers <= kFewNumbers) {
    return search(problem, options, labels, context);
  }
  Rng rng(options.seed, kStagesStream);
  if (graph != nullptr &&
      graph->conflicts() == nullptr) {  // else the labels come from such a cycle
    return multilevel_cycles(problem, labels, {options.clusters, true}, 1, context.with(rng));
  }
  Solution found{labels, 0, {}};
  found.restarts.push_back(descend(problem, found.labels, options.clusters, context.with(rng)));
  found.cost = found.restarts.back().cost;
  return found;
}

NodeSearch search_after(const Context& context) {
  return [&](const Problem& problem, const SearchOptions& options,
             const std::vector<ClusterId>& start) {
    return search_again(problem, options, start, context);
  };
}

// Uses the time there is, as long as that helps: from the best answer with other random numbers, in
// attempts short enough to be settled in time.
Solution go_on(GroupRounds& rounds, Solution best, const NodeSearch& search_from,
               const Context& context) {
  std::uint64_t attempt = 0;
  const NodeSearch with_another_seed = [&](const Problem& problem, SearchOptions options,
                                           const std::vector<ClusterId>& start) {
    options.seed += attempt << 32;
    options.max_seconds = 0;
    return search_from(problem, options, start);
  };
  for (int in_vain = 0; in_vain < kInVain && !context.should_stop(); ++in_vain) {
    ++attempt;
    Solution found = rounds.search(best.labels, with_another_seed);
    if (found.cost < best.cost) {
      best = std::move(found);
      in_vain = 0;
    }
  }
  return best;
}

// On a graph, where conflicts are edges among few others, a search is better off without most of
// them; yet beside pairs they tell whether there are enough clusters.
std::optional<std::uint64_t> few_pairs(const Input& input, const Options& options) {
  const bool is_graph =
      input.shape == Shape::graph ||
      (input.shape == Shape::features && options.similarity.kind == Similarity::neighbors);
  const bool has_pairs = !options.links.must_link.empty() || !options.links.cannot_link.empty();
  if (is_graph && !(options.search.clusters && has_pairs)) {
    return 0;
  }
  return std::nullopt;
}

}  // namespace

void check_options(const Input& input, const Options& options) {
  check_simd_setting();
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

std::optional<Constraints> constraints_of(const Input& input, const Options& options) {
  if (options.links.empty()) {
    return std::nullopt;
  }
  return make_constraints(
      options.links, input.objects(), options.search.clusters,
      [&](ObjectId object) { return name_of(input, object); }, few_pairs(input, options));
}

void in_units(Constraints& constraints, double unit) {
  for (double& value : constraints.evidence.values) {
    value *= unit;
  }
}

Prepared prepare(const Input& input, const Options& options, const Context& context) {
  Prepared plain = prepared_as(input, options, context);
  try {
    return with_learned_weights(plain, input, options, context);
  } catch (const Interrupted&) {  // before anything was learned
    return plain;
  }
}

Solution solve(const Prepared& prepared, const std::optional<Constraints>& constraints,
               const Context& context, StopCheck* stop_linking) {
  const auto search_from = [&](const Problem& problem, const SearchOptions& options,
                               const std::vector<ClusterId>& start) {
    return search(problem, options, start, context);
  };
  const Problem& problem = prepared.made.problem;
  const SearchOptions& options = prepared.options.search;
  const std::vector<ClusterId>& start = prepared.path.labels;
  if (constraints && constraints->one_per_cluster != nullptr) {
    GroupRounds rounds(problem, options, *constraints, context, search_after(context));
    Solution found = rounds.search(start, once(search_from));
    return options.max_seconds > 0 ? go_on(rounds, std::move(found), search_from, context) : found;
  }
  return constraints ? constrained_search(problem, options, *constraints, start, context,
                                          search_from, stop_linking)
                     : search_from(problem, options, start);
}

Solution solve_again(const Prepared& prepared, const std::optional<Constraints>& constraints,
                     const std::vector<ClusterId>& labels, const Context& context) {
  const NodeSearch search_from = search_after(context);
  const Problem& problem = prepared.made.problem;
  const SearchOptions& options = prepared.options.search;
  if (constraints && constraints->one_per_cluster != nullptr) {
    return GroupRounds(problem, options, *constraints, context, search_from)
        .search(labels, once(search_from));
  }
  return constraints
             ? constrained_search(problem, options, *constraints, labels, context, search_from)
             : search_from(problem, options, labels);
}

}  // namespace shiftcut

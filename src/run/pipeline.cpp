// The steps of run() in the order they are taken: options checked, constraints made, similarities,
// shift and problem prepared, solved.
#include "run/pipeline.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "constraints/pairs.hpp"
#include "core/kernels/simd.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "multilevel/multilevel.hpp"
#include "search/constrained_search.hpp"
#include "search/search.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

namespace {

// Graphs of up to this many edges are searched from scratch after a change: it takes well under a
// second, and finds what a search from the old labels would miss.
constexpr std::size_t kQuickEdges = 200'000;
// Restarts for each of the two groupings that learned weights are judged by: they are compared
// with each other, not with the best that can be found.
constexpr int kJudgingRestarts = 3;
// Attempts without a lower cost that end a constrained search before its time limit.
constexpr int kFruitlessAttempts = 20;
constexpr std::uint64_t kAgainStream = std::uint64_t{1} << 41;  // of random numbers

// ---- Constraints ----

std::string name_of(const Input& input, ObjectId object) {
  return input.ids.empty() ? fmt::format("{}", object) : quoted(input.ids[object]);
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

// ---- Similarities, shift, problem ----

// Features have nothing to return before their similarities are known, so making these may be
// interrupted; matrices and graphs are there already, and what is left to do takes a moment.
template <class Make>
auto make_interruptibly(const Input& input, const Context& context, const Make& make) {
  std::optional<StopScope> scope;
  if (input.shape == Shape::features) {
    scope.emplace(context.team, context.stop);
  }
  return make();
}

struct ChosenShift {
  ShiftOptions shift;
  ShiftPath path;  // empty where the strength was given
};

// The shift as given, or the one that a path over its strengths shows to be best where that was
// asked for or is the default.
ChosenShift choose_shift(const Similarities& similarities, const Options& options,
                         const Context& context) {
  ShiftOptions shift = explicit_shift(options.shift, similarities);
  const bool is_default =
      options.shift.kind == ShiftKind::by_default && options.shift.strength == 1;
  if (options.shift.kind != ShiftKind::automatic &&
      !(is_default && similarities.similarity == "neighbors")) {
    return {std::move(shift), {}};
  }
  const Problem unit_strength = make_problem(similarities, shift, context.team, context.control());
  const auto* graph = std::get_if<GraphProblem>(&unit_strength);
  if (graph == nullptr || graph->has_negative_weight()) {
    refuse("not_applicable", "shift",
           "{shift}: found auto for {}; allowed: auto for features under {similarity=neighbors} "
           "and for graphs without negative weights, else adaptive, none, constant=A or "
           "matrix=FILE",
           graph == nullptr ? similarities.similarity + " similarities"
                            : similarities.name + " with negative weights");
  }
  ShiftPath path = shift_path(*graph, options.search,
                              options.links.learn ? options.links : LinkOptions{}, context);
  if (!path.points.empty()) {
    shift = {ShiftKind::adaptive, path.strength, 0, {}};
  }
  return {std::move(shift), std::move(path)};
}

Prepared prepare_as(const Input& input, const Options& options, const Context& context) {
  const Clock::time_point start = Clock::now();
  Similarities similarities = make_interruptibly(input, context, [&] {
    return make_similarities(input, options.similarity, context.team, context.control());
  });
  const Clock::time_point shift_start = Clock::now();
  ChosenShift chosen = choose_shift(similarities, options, context);
  const double shift_seconds = seconds_since(shift_start);
  Problem problem = make_interruptibly(input, context, [&] {
    return make_problem(similarities, chosen.shift, context.team, context.control());
  });
  return {options,
          std::move(similarities),
          std::move(chosen.path),
          std::move(problem),
          std::nullopt,
          seconds_since(start) - shift_seconds,
          shift_seconds};
}

// ---- Learned feature weights ----

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

// What the data alone say.
std::vector<ClusterId> labels_without_pairs(const Prepared& prepared, const Context& context) {
  SearchOptions options = prepared.options.search;
  options.restarts = std::min(options.restarts, kJudgingRestarts);
  options.max_seconds = 0;
  return search(prepared.problem, options, prepared.path.labels, context).labels;
}

// Where answers say that features differ in how much they count, and the grouping is significantly
// better for it; else `plain` as it is.
Prepared with_learned_weights(Prepared& plain, const Input& input, const Options& options,
                              const Context& context) {
  const Clock::time_point start = Clock::now();
  std::optional<LearnedWeights> learned = learned_from(input, options, context);
  if (!learned || learned->gain <= 0) {
    plain.learned = std::move(learned);
    return std::move(plain);
  }
  Options weighted_options = options;
  weighted_options.similarity.feature_weights = learned->weights;
  Prepared weighted = prepare_as(input, weighted_options, context);
  const auto satisfied_by = [&](const Prepared& prepared) {
    return satisfied_pairs(options.links, labels_without_pairs(prepared, context));
  };
  const std::vector<bool> satisfied_plain = satisfied_by(plain);
  if (significantly_more(satisfied_plain, satisfied_by(weighted)) > 0) {
    weighted.learned = std::move(learned);
    weighted.similarity_seconds = plain.similarity_seconds + plain.shift_seconds +
                                  seconds_since(start) - weighted.shift_seconds;
    return weighted;
  }
  plain.learned = without_gain(learned->weights.size());
  return std::move(plain);
}

// ---- Search ----

// From the labels of an earlier solution; where all is small, with as much work as from none.
Solution search_again(const Problem& problem, const SearchOptions& options,
                      const std::vector<ClusterId>& labels, const Context& context) {
  const auto* graph = std::get_if<GraphProblem>(&problem);
  const std::size_t numbers = graph != nullptr ? graph->graph().columns.size() : size(problem);
  if (graph != nullptr && numbers <= kQuickEdges) {
    return search(problem, options, labels, context);
  }
  Rng rng(options.seed, kAgainStream);
  if (graph != nullptr &&
      graph->conflicts() == nullptr) {  // else the labels come from such a cycle
    return cycles(problem, labels, {options.clusters, MergeBy::cost, true}, 1, context.with(rng));
  }
  Solution solution{labels, 0, {}};
  solution.restarts.push_back(
      descend(problem, solution.labels, options.clusters, context.with(rng)));
  solution.cost = solution.restarts.back().cost;
  return solution;
}

NodeSearch search_with(const Context& context) {
  return [&context](const Problem& problem, const SearchOptions& options,
                    const std::vector<ClusterId>& start) {
    return search(problem, options, start, context);
  };
}

NodeSearch search_again_with(const Context& context) {
  return [&context](const Problem& problem, const SearchOptions& options,
                    const std::vector<ClusterId>& start) {
    return search_again(problem, options, start, context);
  };
}

// Uses the time there is, as long as that helps: from the best solution with other random numbers,
// in attempts short enough to finish in time.
Solution search_until_time_limit(GroupRounds& rounds, Solution best, const NodeSearch& search_from,
                                 const Context& context) {
  std::uint64_t attempt = 0;
  const NodeSearch with_another_seed = [&](const Problem& problem, SearchOptions options,
                                           const std::vector<ClusterId>& start) {
    options.seed += attempt << 32;
    options.max_seconds = 0;
    return search_from(problem, options, start);
  };
  for (int fruitless = 0; fruitless < kFruitlessAttempts && !context.should_stop(); ++fruitless) {
    ++attempt;
    Solution solution = rounds.search(best.labels, with_another_seed);
    if (solution.cost < best.cost) {
      best = std::move(solution);
      fruitless = 0;
    }
  }
  return best;
}

// The one place where evidence gets the problem's units.
Constraints scaled_to(const Prepared& prepared, const Constraints& constraints,
                      const Context& context) {
  return in_units(constraints,
                  evidence_unit(prepared.similarities, prepared.problem, context.team));
}

}  // namespace

void check_options(const Input& input, const Options& options) {
  check_simd_setting();
  const std::size_t n = input.objects();
  const SearchOptions& search = options.search;
  if (n == 0) {
    refuse("bad_input", "", "{}: found no objects; allowed: 1 or more", input.name);
  }
  if (search.clusters && (*search.clusters < 1 || *search.clusters > n)) {
    refuse("out_of_range", "clusters",
           "{clusters}: found {}; allowed: 1 to {}, the number of objects, or auto",
           *search.clusters, n);
  }
  if (search.restarts < 1) {
    refuse("out_of_range", "restarts", "{restarts}: found {}; allowed: 1 or more", search.restarts);
  }
  if (search.threads < 0 || search.threads > 1024) {
    refuse("out_of_range", "threads", "{threads}: found {}; allowed: 1 to 1024, or 0 for all",
           search.threads);
  }
  if (!(search.max_seconds >= 0)) {
    refuse("out_of_range", "max_seconds", "{max_seconds}: found {}; allowed: a number above 0",
           search.max_seconds);
  }
  check_shift(options.shift, n);
  const auto& sigma = options.similarity.sigma;
  if (sigma && !(*sigma > 0 && std::isfinite(*sigma))) {
    refuse("out_of_range", "sigma", "{sigma}: found {}; allowed: a number above 0", *sigma);
  }
  if (!input.truth.empty() && input.truth.size() != n) {
    refuse("wrong_length", "", "{}: found {} known classes; allowed: {}, one per object, or none",
           input.name, input.truth.size(), n);
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

Prepared prepare(const Input& input, const Options& options, const Context& context) {
  Prepared plain = prepare_as(input, options, context);
  try {
    return with_learned_weights(plain, input, options, context);
  } catch (const Interrupted&) {  // before anything was learned
    return plain;
  }
}

Solution solve(const Prepared& prepared, const std::optional<Constraints>& constraints,
               const Context& context, bool is_interruptible) {
  const SearchOptions& options = prepared.options.search;
  const std::vector<ClusterId>& start = prepared.path.labels;
  const NodeSearch search_from = search_with(context);
  if (!constraints) {
    return search_from(prepared.problem, options, start);
  }
  const Constraints scaled = scaled_to(prepared, *constraints, context);
  if (scaled.one_per_cluster == nullptr) {
    return constrained_search(prepared.problem, options, scaled, start, context, search_from,
                              is_interruptible);
  }
  GroupRounds rounds(prepared.problem, options, scaled, context, search_again_with(context));
  Solution solution = rounds.search(start, once(search_from));
  return options.max_seconds > 0
             ? search_until_time_limit(rounds, std::move(solution), search_from, context)
             : solution;
}

Solution solve_again(const Prepared& prepared, const std::optional<Constraints>& constraints,
                     const std::vector<ClusterId>& labels, const Context& context) {
  const SearchOptions& options = prepared.options.search;
  const NodeSearch search_from = search_again_with(context);
  if (!constraints) {
    return search_from(prepared.problem, options, labels);
  }
  const Constraints scaled = scaled_to(prepared, *constraints, context);
  if (scaled.one_per_cluster == nullptr) {
    return constrained_search(prepared.problem, options, scaled, labels, context, search_from);
  }
  return GroupRounds(prepared.problem, options, scaled, context, search_from)
      .search(labels, once(search_from));
}

}  // namespace shiftcut

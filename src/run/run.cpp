// The whole pipeline, from top to bottom: input -> similarities -> shift -> problem -> search ->
// result.
#include "shiftcut/run.hpp"

#include <algorithm>
#include <utility>

#include "constraints/pairs.hpp"
#include "core/message.hpp"
#include "input/check_input.hpp"
#include "run/pipeline.hpp"
#include "run/sample_grouping.hpp"
#include "run/tuning.hpp"
#include "search/search.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

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

namespace {

using namespace run_tuning;

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
  std::optional<Problem> unit_strength;
  const GraphProblem* graph = nullptr;
  if (std::holds_alternative<GraphEdges>(similarities.view)) {
    unit_strength = make_problem(similarities, shift, context.team, context.control());
    graph = std::get_if<GraphProblem>(&*unit_strength);
  }
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

// X, the shift, and S = X - shift.
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

// How much each feature counts, where there are features and answers to learn it from.
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

// A search stopped in its first attempt may have little more than its random start.
void take_sample_if_lower(const Input& input, const Prepared& prepared, const Context& context,
                          Solution& solution) {
  std::vector<ClusterId> labels = sample_labels(input, prepared.options, context.team);
  const double sample_cost = cost(prepared.problem, labels, context.team);
  if (sample_cost < solution.cost) {
    solution.labels = std::move(labels);
    solution.cost = sample_cost;
    solution.restarts.assign(1, Restart{"coarse-start", sample_cost, 0, 0, 0});
  }
}

// Features that are stopped before the search begins are better served by the grouping of a sample:
// Interrupted says so.
Solution search_prepared(const Input& input, const Prepared& prepared,
                         const std::optional<Constraints>& constraints, const Context& context) {
  const bool has_sample = input.shape == Shape::features;
  if (has_sample && prepared.path.labels.empty() && context.should_stop()) {
    throw Interrupted();
  }
  Solution solution = solve(prepared, constraints, context, has_sample);
  const bool is_stopped = context.stop.reason() != StopReason::converged;
  if (is_stopped && has_sample && !constraints && solution.restarts.size() <= 1) {
    take_sample_if_lower(input, prepared, context, solution);
  }
  return solution;
}

}  // namespace

Prepared prepare(const Input& input, const Options& options, const Context& context) {
  Prepared plain = prepare_as(input, options, context);
  try {
    return with_learned_weights(plain, input, options, context);
  } catch (const Interrupted&) {  // before anything was learned
    return plain;
  }
}

Result run(const Input& input, const Options& options, const Control& control,
           std::shared_ptr<const NeighborTable>* neighbors) {
  const Clock::time_point start = Clock::now();
  check_options(input, options);
  if (!input.checked) {
    check_input(input, Control{});  // quick: not worth stopping before there is a result
  }
  const std::optional<Constraints> constraints = constraints_of(input, options);
  ThreadTeam team(options.search.threads);
  StopCheck stop(control, start, options.search.max_seconds);
  Rng rng(options.search.seed);
  const Context context{rng, team, stop};

  Result result;
  try {
    Prepared prepared = prepare(input, options, context);  // similarities, shift, problem
    if (neighbors != nullptr) {
      *neighbors = prepared.similarities.neighbors;
    }
    prepared.similarities.neighbors.reset();  // their memory is free for the search
    Solution solution = search_prepared(input, prepared, constraints, context);
    result = make_result(input, prepared, constraints, std::move(solution), context);
  } catch (const Interrupted&) {  // before there was anything to search
    result = sample_result(input, options, constraints, stop.reason(), team);
    result.seconds = {};
  }
  result.seconds.total = seconds_since(start);
  result.seconds.search = result.seconds.total - result.seconds.similarity - result.seconds.shift;
  return result;
}

}  // namespace shiftcut

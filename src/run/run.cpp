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
#include "shiftcut/model.hpp"
#include "shiftcut/words.hpp"
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
           "and for graphs without negative weights, else adaptive, degree, none, constant=A or "
           "matrix=FILE",
           graph == nullptr ? similarities.similarity + " similarities"
                            : similarities.name + " with negative weights");
  }
  ShiftPath path =
      shift_path(*graph, similarities.distances.get(), options.search, options.links, context, {},
                 similarities.are_given() ? GraphOrigin::given : GraphOrigin::neighbors);
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
  similarities.distances.reset();
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
  const Metric metric = options.similarity.metric;
  if (metric == Metric::hamming || metric == Metric::jaccard) {
    return std::nullopt;
  }
  const StopScope scope(context.team, context.stop);
  const Scaling scaling =
      scaling_of(*dense, options.similarity.scale, input.name, context.team, input.weights);
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
  Options scaled_options = options;  // by the scale that was chosen
  scaled_options.similarity.scale =
      from_word<Scale>(plain.similarities.scale).value_or(Scale::none);
  std::optional<LearnedWeights> learned = learned_from(input, scaled_options, context);
  if (!learned || learned->gain <= 0) {
    plain.learned = std::move(learned);
    return std::move(plain);
  }
  Options weighted_options = scaled_options;
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
void take_sample_if_lower(const Prepared& prepared, SampleGrouping sampled, const Context& context,
                          Solution& solution) {
  const double sample_cost = cost(prepared.problem, sampled.labels, context.team);
  if (sample_cost < solution.cost) {
    solution.labels = std::move(sampled.labels);
    solution.cost = sample_cost;
    solution.restarts.assign(1, Restart{"coarse-start", sample_cost, 0, 0, 0});
  }
}

// A path that was stopped before every strength had a solution has seen too little to select from:
// the labels of a sample took part in a whole vote.
void take_sample_for_path(const Input& input, const std::optional<SampleGrouping>& sampled,
                          const Context& context, Prepared& prepared) {
  ShiftPath& path = prepared.path;
  if (path.is_whole || path.points.empty() || !context.should_stop()) {
    return;
  }
  path.labels =
      sampled ? sampled->labels : first_sample(input, prepared.options, context.team).labels;
  path.is_decided = true;
  path.is_like_noise = false;
  path.voters = 0;
  path.judged.clear();
}

// Features that are stopped before the search begins are better served by the grouping of a sample:
// Interrupted says so.
Solution search_prepared(const Input& input, Prepared& prepared,
                         const std::optional<Constraints>& constraints,
                         std::optional<SampleGrouping>& sampled, const Context& context) {
  const bool has_sample = input.shape == Shape::features;
  if (has_sample && prepared.path.labels.empty() && context.should_stop()) {
    throw Interrupted();
  }
  if (has_sample) {
    take_sample_for_path(input, sampled, context, prepared);
  }
  Solution solution = solve(prepared, constraints, context, has_sample);
  const bool is_stopped = context.stop.reason() != StopReason::converged;
  if (is_stopped && has_sample && !constraints && solution.restarts.size() <= 1 &&
      !prepared.path.is_decided) {
    take_sample_if_lower(
        prepared,
        sampled ? std::move(*sampled) : first_sample(input, prepared.options, context.team),
        context, solution);
  }
  return solution;
}

// ---- Rows of weight 0 ----

// They join the clusters that predict() would give them.
void label_left_rows(const Input& input, const Options& options, const RowNodes& nodes,
                     const std::shared_ptr<const NeighborTable>& neighbors, Result& result) {
  std::vector<ObjectId> left;
  for (ObjectId row = 0; row < input.objects(); ++row) {
    if (nodes.of(row) == kNoNode) {
      left.push_back(row);
    }
  }
  const auto model =
      std::make_shared<const Model>(make_model(input, options, result, {neighbors, nullptr}));
  const Rows rows =
      std::visit([&](const auto& values) -> Rows { return rows_of(values, left); }, input.values);
  const int threads = options.search.threads;
  const std::vector<std::int32_t> labels = Predictor(model, threads).predict(rows, threads);
  for (std::size_t l = 0; l < left.size(); ++l) {
    result.labels[left[l]] = labels[l];
    ++result.sizes[static_cast<std::size_t>(labels[l])];
  }
  if (!input.truth.empty()) {
    result.scores = score(input.truth, result.labels);
  }
}

// The run for one way to compare rows.
Result run_as(const Input& input, const Options& options, const RowNodes& nodes,
              const Context& context, std::shared_ptr<const NeighborTable>* neighbors) {
  const Options of_nodes = nodes.options(options);
  const std::optional<Constraints> constraints = constraints_of(input, nodes, of_nodes);
  Result result;
  std::shared_ptr<const NeighborTable> table;
  std::optional<SampleGrouping> sampled;  // where there is a limit that may be too short for more
  if (of_nodes.search.max_seconds > 0 && input.shape == Shape::features) {
    sampled = growing_samples(nodes.input(), of_nodes, context);
  }
  try {
    Prepared prepared = prepare(nodes.input(), of_nodes, context);  // similarities, shift, problem
    if (neighbors != nullptr || nodes.leave_rows()) {
      table = prepared.similarities.neighbors;
    }
    prepared.similarities.neighbors.reset();  // their memory is free for the search
    Solution solution = search_prepared(nodes.input(), prepared, constraints, sampled, context);
    result = make_result(input, options, nodes, prepared, std::move(solution), context);
  } catch (const Interrupted&) {  // before there was anything to search
    result = sample_result(nodes.input(), of_nodes, constraints, context.stop.reason(),
                           std::move(sampled), context.team);
    to_rows(result, input, options, nodes);
    result.seconds = {};
  }
  if (nodes.leave_rows()) {
    label_left_rows(input, options, nodes, table, result);
  }
  if (neighbors != nullptr) {
    *neighbors = std::move(table);
  }
  return result;
}

}  // namespace

Options with_chosen_similarity(const Input& input, Options options, ThreadTeam& team) {
  const bool needs_graph = options.shift.kind == ShiftKind::automatic;
  options.similarity = chosen_similarity(input, std::move(options.similarity), needs_graph, team);
  return options;
}

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
  check_links_of(input, options);
  ThreadTeam team(options.search.threads);
  RowNodes nodes(input, options, team);
  nodes.forget_groups();
  StopCheck stop(control, start, options.search.max_seconds);
  Rng rng(options.search.seed);
  const Context context{rng, team, stop};

  Options chosen = with_chosen_similarity(input, options, team);
  Result result = run_as(input, chosen, nodes, context, neighbors);
  // Products of rows leave clusters near the centre of the data empty; neighbours do not.
  if (options.similarity.kind == Similarity::automatic &&
      chosen.similarity.kind == Similarity::cosine &&
      result.clusters_found < result.clusters_asked.value_or(0) && !context.should_stop()) {
    chosen.similarity.kind = Similarity::neighbors;
    Rng again(options.search.seed);
    result = run_as(input, with_chosen_similarity(input, chosen, team), nodes, context.with(again),
                    neighbors);
  }
  result.seconds.total = seconds_since(start);
  result.seconds.search = result.seconds.total - result.seconds.similarity - result.seconds.shift;
  return result;
}

}  // namespace shiftcut

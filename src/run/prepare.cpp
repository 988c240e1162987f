// Similarities, shift and problem, and the feature weights that answers teach.
#include <algorithm>
#include <utility>

#include "constraints/pairs.hpp"
#include "core/message.hpp"
#include "run/pipeline.hpp"
#include "run/tuning.hpp"
#include "search/search.hpp"
#include "shiftcut/words.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

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
  if (shift.kind == ShiftKind::linkage) {
    return {std::move(shift), {}};
  }
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
  if (chosen.shift.kind == ShiftKind::linkage && similarities.are_log_odds) {
    similarities.linkage = std::make_shared<const LinkageShift>(linkage_shift(
        *std::get<GraphEdges>(similarities.view).edges, chosen.shift.strength, context.team));
  }
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

}  // namespace shiftcut

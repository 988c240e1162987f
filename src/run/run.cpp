// The whole pipeline, from top to bottom: input -> similarities -> shift -> problem -> search ->
// result.
#include "shiftcut/run.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "descent/descend.hpp"
#include "input/check_input.hpp"
#include "multilevel/multilevel.hpp"
#include "run/checkpoint_key.hpp"
#include "run/pipeline.hpp"
#include "run/sample_grouping.hpp"
#include "run/tuning.hpp"
#include "search/constrained_search.hpp"
#include "search/search.hpp"
#include "shiftcut/model.hpp"

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
    return multilevel_cycles(problem, labels, {options.clusters}, 1, context.with(rng));
  }
  Solution solution{labels, 0, {}};
  solution.restarts.push_back(
      descend(problem, solution.labels, options.clusters, context.with(rng)));
  solution.cost = solution.restarts.back().cost;
  return solution;
}

// To the nearest local optimum: a vote has chosen the labels, and a search for a lower cost would
// leave them for a grouping that fewer ways of looking at the data agree on.
Solution keep_to(const Problem& problem, const SearchOptions& options,
                 const std::vector<ClusterId>& labels, const Context& context) {
  const auto descend_once = [&](std::size_t, const Context& own) {
    Solution solution{labels, 0, {}};
    solution.restarts.push_back(descend(problem, solution.labels, options.clusters, own));
    solution.restarts.back().method = "vote";
    solution.cost = solution.restarts.back().cost;
    return solution;
  };
  return best_of(1, 1, {options.seed, kAgainStream}, context, descend_once);
}

// A search from single nodes mostly ends at a lower cost than one from the labels that a path over
// strengths found on a given graph (LFR, mixing 0.4: -110157 and -109501), but not always.
Solution search_beside(const Problem& problem, const SearchOptions& options,
                       const std::vector<ClusterId>& labels, const Context& context) {
  if (context.should_stop()) {
    return search(problem, options, labels, context);
  }
  Solution solution = search(problem, options, {}, context);
  Solution near = keep_to(problem, options, labels, context);
  near.restarts.back().method = "multilevel";
  if (near.cost < solution.cost) {
    std::swap(near.labels, solution.labels);
    solution.cost = near.cost;
  }
  std::ranges::move(near.restarts, std::back_inserter(solution.restarts));
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

Solution solve(const Prepared& prepared, const std::optional<Constraints>& constraints,
               const Context& context, bool is_interruptible) {
  const SearchOptions& options = prepared.options.search;
  const std::vector<ClusterId>& start = prepared.path.labels;
  const NodeSearch search_from = search_with(context);
  if (!constraints && prepared.path.is_decided && options.method == Method::automatic) {
    return keep_to(prepared.problem, options, start, context);
  }
  if (!constraints && prepared.similarities.are_given() && !start.empty()) {
    return search_beside(prepared.problem, options, start, context);
  }
  if (!constraints) {
    const std::string name = "search-" + prepared.similarities.similarity;
    Context keeping = context;
    keeping.kept_as = name.c_str();
    return search(prepared.problem, options, start, keeping);
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

namespace {

// Labels from a sample would need all rows once more.
bool are_fetched(const Input& input) {
  const auto* dense = std::get_if<DenseArray>(&input.values);
  return dense != nullptr && dense->is_fetched();
}

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
  const bool has_sample = input.shape == Shape::features && !are_fetched(input);
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
  const std::optional<SizeBounds> bounds = size_bounds_of(options, nodes);
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
    if (bounds) {
      prepared.options.search.max_seconds = 0;  // leaves time for the bounded search
    }
    Solution solution = search_prepared(nodes.input(), prepared, constraints, sampled, context);
    if (bounds) {
      solution = within_sizes(prepared, constraints, *bounds, std::move(solution), context);
    }
    result = make_result(input, options, nodes, prepared, std::move(solution), context);
    result.path_labels = path_labels_of(prepared, nodes, input.objects());
  } catch (const Interrupted&) {  // before there was anything to search
    if (are_fetched(input)) {
      throw;
    }
    result = sample_result(nodes.input(), of_nodes, constraints, bounds, context.stop.reason(),
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

Result run(const Input& input, const Options& options, const Control& control,
           std::shared_ptr<const NeighborTable>* neighbors) {
  const Clock::time_point start = Clock::now();
  check_options(input, options);
  if (!input.checked) {
    check_input(input, Control{});  // quick: not worth stopping before there is a result
  }
  check_links_of(input, options);
  ThreadTeam team(options.search.threads);
  RowNodes nodes = nodes_for(input, options, team);
  nodes.forget_groups();
  if (control.checkpoint != nullptr) {
    begin_checkpoint(*control.checkpoint, input, options);
  }
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

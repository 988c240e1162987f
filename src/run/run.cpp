// The whole pipeline: input -> similarities -> shift -> problem -> search -> result. The first
// three arrows are prepare(), the fourth is solve(), both in pipeline.cpp.
#include "shiftcut/run.hpp"

#include "input/check_input.hpp"
#include "run/make_result.hpp"
#include "run/pipeline.hpp"
#include "run/sample_grouping.hpp"

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
    const auto found = std::move(prepared.similarities.neighbors);
    if (neighbors != nullptr) {
      *neighbors = found;
    }
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

// input -> similarity view -> shift -> problem -> search -> result.
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

// A search that was stopped in its first attempt may have little more than its random start.
void take_coarse_if_lower(const Input& input, const Prepared& prepared,
                          const std::optional<Constraints>& constraints, ThreadTeam& team,
                          Solution& found) {
  if (input.shape != Shape::features || constraints || found.restarts.size() > 1) {
    return;
  }
  std::vector<ClusterId> labels = coarse_labels(input, prepared.options, team);
  const double coarse_cost = cost(prepared.made.problem, labels, team);
  if (coarse_cost < found.cost) {
    found.labels = std::move(labels);
    found.cost = coarse_cost;
    found.restarts.assign(1, Restart{"coarse-start", coarse_cost, 0, 0, 0});
  }
}

Result grouped(const Input& input, const Prepared& prepared,
               std::optional<Constraints>& constraints, const Context& context) {
  const bool is_sampled = input.shape == Shape::features;  // if it is stopped before the search
  if (is_sampled && prepared.path.labels.empty() && context.should_stop()) {
    throw Interrupted();  // a search that may not begin has less to offer than a sample
  }
  if (constraints) {
    in_units(*constraints, pair_unit(prepared.made, context.team));
  }
  Solution found = solve(prepared, constraints, context, is_sampled ? &context.stop : nullptr);
  if (context.stop.reason() != StopReason::converged) {
    take_coarse_if_lower(input, prepared, constraints, context.team, found);
  }
  return result_of(input, prepared, constraints, std::move(found), context);
}

}  // namespace

Result run(const Input& input, const Options& options, const Control& control) {
  const Clock::time_point start = Clock::now();
  check_options(input, options);
  if (!input.checked) {
    check_input(input, Control{});  // quick: not worth stopping before there is an answer
  }
  std::optional<Constraints> constraints = constraints_of(input, options);
  ThreadTeam team(options.search.threads);
  StopCheck stop(control, start, options.search.max_seconds);
  Rng rng(options.search.seed);
  const Context context{rng, team, stop};
  Result result;
  try {
    result = grouped(input, prepare(input, options, context), constraints, context);
  } catch (const Interrupted&) {  // before there was anything to search
    result = coarse_result(input, options, constraints, stop.reason(), team);
    result.seconds = {};
  }
  result.seconds.total = seconds_since(start);
  result.seconds.search = result.seconds.total - result.seconds.similarity - result.seconds.shift;
  return result;
}

}  // namespace shiftcut

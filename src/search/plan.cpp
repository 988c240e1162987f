#include "search/plan.hpp"

#include <algorithm>

#include "search/coarse_start.hpp"
#include "search/tuning.hpp"

namespace shiftcut {

std::size_t edges_of(const GraphProblem& graph) { return graph.graph().columns.size(); }

bool has_few_clusters(const SearchOptions& options) {
  return options.clusters && *options.clusters <= kFewClusters;
}

namespace {

Plan plan_for_graph(const GraphProblem& graph, const SearchOptions& options, int restarts,
                    bool has_start) {
  Plan plan;
  if (edges_of(graph) > kLargeGraphEdges) {
    plan.multilevel_starts = has_start ? 0 : 1;
    plan.cycles = kMostCycles;
    plan.least_gain = options.clusters ? kGainOfCycle : kGainOfFirstCycle;
    return plan;
  }
  if (has_few_clusters(options)) {
    plan.recombines_fully = graph.size() <= kSmallGraph;
    plan.cycles = plan.recombines_fully ? std::max(2, restarts) : 1;
  }
  const int wanted = 1 + (plan.recombines_fully ? restarts * 3 / 10 : restarts / 5);
  const int starts = std::min(wanted, static_cast<int>(kMostStarts));
  plan.multilevel_starts = static_cast<std::size_t>(starts);
  const int share = plan.recombines_fully ? 5 : 20;
  plan.perturb_sweeps = starts < wanted ? restarts : restarts / share;
  return plan;
}

Plan plan_for_rows(const Problem& problem, const SearchOptions& options, int restarts) {
  Plan plan;
  const auto count = static_cast<std::size_t>(restarts);
  plan.cycles = size(problem) <= kSampleAll / 2 ? 1 : 2;
  if (!has_coarse_start(problem, options.clusters)) {
    plan.random_starts = count;
    return plan;
  }
  const bool sees_all = size(problem) <= kSampleAll;
  plan.sample_starts = sees_all ? count / 2 + 1 : count / 3 + 1;
  plan.sample_trials = size(problem) <= kQuickSample ? 2 * restarts : (restarts + 1) / 2;
  plan.sample_keep = sees_all ? 1 : 3;
  plan.random_starts = sees_all ? count : count / 2;
  // Similarities may be local, like those of a graph, and a sample does not show that; distances
  // are not.
  const auto* dense = std::get_if<DenseProblem>(&problem);
  if (dense != nullptr && size(problem) <= kMostDenseLevel &&
      (!options.clusters || dense->sign() > 0)) {
    plan.multilevel_starts = 1;
  }
  return plan;
}

}  // namespace

Plan plan_for(const Problem& problem, const SearchOptions& options, bool has_start) {
  const int restarts = std::min(options.restarts, kMostRestarts);
  if (const auto* graph = std::get_if<GraphProblem>(&problem)) {
    return plan_for_graph(*graph, options, restarts, has_start);
  }
  return plan_for_rows(problem, options, restarts);
}

}  // namespace shiftcut

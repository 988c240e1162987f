#include "search/constrained_search.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/core.h>

#include "core/message.hpp"
#include "descent/descend.hpp"
#include "search/eject.hpp"
#include "search/tuning.hpp"

namespace shiftcut {

namespace {

constexpr std::uint64_t kNodesStream = std::uint64_t{1} << 42;  // of random numbers

// What a conflict costs at first: more than any edge, yet little enough to be outweighed.
double strong_edge(const GraphProblem& problem) {
  double largest = 0;
  for (const double weight : problem.graph().values) {
    largest = std::max(largest, std::abs(weight));
  }
  return 2 * largest;
}

}  // namespace

NodeSearch once(NodeSearch search_from) {
  return [search_from = std::move(search_from)](const Problem& problem, SearchOptions options,
                                                const std::vector<ClusterId>& start) {
    options.max_seconds = 0;
    return search_from(problem, options, start);
  };
}

Solution constrained_search(const Problem& problem, SearchOptions options,
                            const Constraints& constraints, std::vector<ClusterId> start,
                            const Context& context, const NodeSearch& search_from,
                            bool is_interruptible) {
  if (options.clusters) {
    options.clusters = std::min(*options.clusters, constraints.nodes);
  }
  start = node_labels(constraints, start);
  const auto* graph = std::get_if<GraphProblem>(&problem);
  if (constraints.conflicts != nullptr && graph != nullptr && options.method == Method::automatic) {
    const Problem soft = graph->linked(softened(constraints, strong_edge(*graph)));
    start = once(search_from)(soft, options, start).labels;  // the time is for what follows
    constraints.conflicts->repair(start, options.clusters);
  }
  const auto contract = [&] {
    std::optional<StopScope> scope;
    if (is_interruptible) {
      scope.emplace(context.team, context.stop);
    }
    return linked(problem, constraints, context.team);
  };
  const Problem nodes = contract();
  Solution solution = search_from(nodes, options, start);
  if (constraints.conflicts != nullptr &&
      !constraints.conflicts->satisfied_by(solution.labels)) {  // stopped before it could
    constraints.conflicts->repair(solution.labels, options.clusters);
    solution.cost = cost(nodes, solution.labels, context.team);
  }
  solution.labels = object_labels(constraints, solution.labels);
  return solution;
}

GroupRounds::GroupRounds(const Problem& problem, const SearchOptions& options,
                         const Constraints& constraints, const Context& context, NodeSearch again)
    : problem_(problem),
      options_(options),
      given_(constraints.conflicts),
      known_(constraints),
      context_(context),
      again_(once(std::move(again))) {
  if (options_.clusters) {
    options_.clusters = std::min(*options_.clusters, constraints.nodes);
  }
  if (const auto* graph = std::get_if<GraphProblem>(&problem); graph != nullptr) {
    learn(constraints.one_per_cluster->near(graph->graph(), constraints.node_of));
  }
}

void GroupRounds::learn(const std::vector<NodePair>& more) {
  learned_ += more.size();
  known_ = with_conflicts(std::move(known_), more, options_.clusters);
}

Solution GroupRounds::repaired(Solution solution, std::vector<ClusterId> labels) {
  repair_groups(known_, options_.clusters, labels);
  solution.cost = cost(linked(problem_, known_, context_.team), labels, context_.team);
  solution.labels = object_labels(known_, labels);
  solution.is_repaired = true;
  return solution;
}

Solution GroupRounds::search(const std::vector<ClusterId>& start, const NodeSearch& search_from) {
  Solution solution = settled(start, options_, search_from, again_);
  const auto* graph = std::get_if<GraphProblem>(&problem_);
  return graph != nullptr && options_.method == Method::automatic
             ? with_ejections(*graph, std::move(solution))
             : solution;
}

// Each time followed by a descent, which also looks at clusters that no edge leads to.
Solution GroupRounds::with_ejections(const GraphProblem& graph, Solution solution) {
  Constraints without_conflicts = known_;
  without_conflicts.conflicts = nullptr;
  const GraphProblem nodes = graph.linked(without_conflicts);
  SearchOptions options = options_;
  options.method = Method::local_search;
  const NodeSearch down = [&](const Problem& problem, const SearchOptions& how,
                              const std::vector<ClusterId>& start) {
    const Clock::time_point begin = Clock::now();
    Rng rng(how.seed, kNodesStream);
    Solution reached{start, 0, {}};
    reached.restarts.push_back(descend(problem, reached.labels, how.clusters, context_.with(rng)));
    reached.restarts.back().seconds = seconds_since(begin);
    reached.cost = reached.restarts.back().cost;
    return reached;
  };
  for (int round = 0; round < kMostRounds && !context_.should_stop(); ++round) {
    std::vector<ClusterId> labels = node_labels(known_, solution.labels);
    if (!eject(nodes, *known_.one_per_cluster, given_.get(), options_.clusters, labels,
               context_.stop)) {
      break;
    }
    Solution next = settled(object_labels(known_, labels), options, down, down);
    if (!(next.cost < solution.cost)) {
      break;
    }
    next.restarts.insert(next.restarts.begin(), solution.restarts.begin(), solution.restarts.end());
    solution = std::move(next);
  }
  return solution;
}

Solution GroupRounds::settled(const std::vector<ClusterId>& start, const SearchOptions& options,
                              const NodeSearch& search_from, const NodeSearch& again) {
  Solution solution = constrained_search(problem_, options, known_, start, context_, search_from);
  for (int round = 1;; ++round) {
    std::vector<ClusterId> labels = node_labels(known_, solution.labels);
    const auto clashes =
        known_.one_per_cluster->clashes(labels, round > kRoundsFromScratch ? kFurtherConflicts : 0);
    if (clashes.pairs.empty()) {
      return solution;
    }
    if (context_.should_stop() || round > kMostRounds ||
        learned_ + clashes.pairs.size() > kMostConflicts) {
      return repaired(std::move(solution), std::move(labels));
    }
    learn(clashes.pairs);
    const bool from_scratch =
        round < kRoundsFromScratch && clashes.nodes > known_.nodes / kManyClashing;
    solution = constrained_search(problem_, options, known_, solution.labels, context_,
                                  from_scratch ? search_from : again);
  }
}

}  // namespace shiftcut

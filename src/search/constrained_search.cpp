#include "search/constrained_search.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "core/message.hpp"
#include "descent/descend.hpp"
#include "search/eject.hpp"

namespace shiftcut {

namespace {

constexpr int kSearched = 4;               // rounds that may be searched from nothing
constexpr std::size_t kMany = 100;         // if more than one in so many nodes clashes
constexpr std::size_t kFurther = 200'000;  // pairs a round after those, lest there be many
constexpr int kMostRounds = 50;
constexpr std::uint64_t kNodesStream = std::uint64_t{1} << 42;  // of random numbers
constexpr std::size_t kMostLearned = 50'000'000;                // pairs

std::vector<ClusterId> of_nodes(const std::vector<ClusterId>& labels,
                                const Constraints& constraints) {
  std::vector<ClusterId> out(labels.empty() ? 0 : constraints.nodes);
  for (ObjectId i = 0; i < labels.size(); ++i) {
    out[constraints.groups[i]] = labels[i];
  }
  return out;
}

std::vector<ClusterId> of_objects(const std::vector<ClusterId>& labels,
                                  const Constraints& constraints) {
  std::vector<ClusterId> out(constraints.groups.size());
  for (ObjectId i = 0; i < out.size(); ++i) {
    out[i] = labels[constraints.groups[i]];
  }
  return out;
}

// Throws where there is no way.
void part_groups(const Constraints& constraints, std::optional<std::size_t> clusters,
                 std::vector<ClusterId>& labels) {
  if (!constraints.one_per_cluster->repair(labels, clusters, constraints.conflicts.get())) {
    refuse("too_few_clusters", "cannot_link_by",
           "{cannot_link_by}: found no way to satisfy it and all pairs with {} clusters; allowed: "
           "more clusters, or fewer pairs",
           clusters.value_or(0));
  }
}

// What a conflict costs at first: more than any edge, yet little enough to be walked over.
double strong_edge(const GraphProblem& problem) {
  double largest = 0;
  for (const double weight : problem.graph().values) {
    largest = std::max(largest, std::abs(weight));
  }
  return 2 * largest;
}

}  // namespace

std::vector<ClusterId> keeping_to(const Constraints& constraints,
                                  std::optional<std::size_t> clusters,
                                  const std::vector<ClusterId>& labels) {
  std::vector<ClusterId> nodes = of_nodes(labels, constraints);
  if (constraints.conflicts != nullptr) {
    constraints.conflicts->repair(nodes, clusters);
  }
  if (constraints.one_per_cluster != nullptr) {
    part_groups(constraints, clusters, nodes);
  }
  return of_objects(nodes, constraints);
}

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
                            StopCheck* stop_linking) {
  if (options.clusters) {
    options.clusters = std::min(*options.clusters, constraints.nodes);
  }
  start = of_nodes(start, constraints);
  const auto* graph = std::get_if<GraphProblem>(&problem);
  if (constraints.conflicts != nullptr && graph != nullptr && options.method == Method::automatic) {
    const Problem soft = graph->linked(softened(constraints, strong_edge(*graph)));
    start = once(search_from)(soft, options, start).labels;  // the time is for what follows
    constraints.conflicts->repair(start, options.clusters);
  }
  const auto linked_nodes = [&] {
    std::optional<StopScope> scope;
    if (stop_linking != nullptr) {
      scope.emplace(context.team, *stop_linking);
    }
    return linked(problem, constraints, context.team);
  };
  const Problem nodes = linked_nodes();
  Solution found = search_from(nodes, options, start);
  if (constraints.conflicts != nullptr &&
      !constraints.conflicts->satisfied_by(found.labels)) {  // stopped before it could
    constraints.conflicts->repair(found.labels, options.clusters);
    found.cost = cost(nodes, found.labels, context.team);
  }
  found.labels = of_objects(found.labels, constraints);
  return found;
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
    learn(constraints.one_per_cluster->near(graph->graph(), constraints.groups));
  }
}

void GroupRounds::learn(const std::vector<NodePair>& more) {
  learned_ += more.size();
  known_ = with_conflicts(std::move(known_), more, options_.clusters);
}

Solution GroupRounds::repaired(Solution found, std::vector<ClusterId> labels) {
  part_groups(known_, options_.clusters, labels);
  found.cost = cost(linked(problem_, known_, context_.team), labels, context_.team);
  found.labels = of_objects(labels, known_);
  found.is_repaired = true;
  return found;
}

Solution GroupRounds::search(const std::vector<ClusterId>& start, const NodeSearch& search_from) {
  Solution found = settled(start, options_, search_from, again_);
  const auto* graph = std::get_if<GraphProblem>(&problem_);
  return graph != nullptr && options_.method == Method::automatic
             ? with_ejections(*graph, std::move(found))
             : found;
}

// Each time followed by a descent, which also looks at clusters that no edge leads to.
Solution GroupRounds::with_ejections(const GraphProblem& graph, Solution found) {
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
    std::vector<ClusterId> labels = of_nodes(found.labels, known_);
    if (!eject(nodes, *known_.one_per_cluster, given_.get(), options_.clusters, labels,
               context_.stop)) {
      break;
    }
    Solution next = settled(of_objects(labels, known_), options, down, down);
    if (!(next.cost < found.cost)) {
      break;
    }
    next.restarts.insert(next.restarts.begin(), found.restarts.begin(), found.restarts.end());
    found = std::move(next);
  }
  return found;
}

Solution GroupRounds::settled(const std::vector<ClusterId>& start, const SearchOptions& options,
                              const NodeSearch& search_from, const NodeSearch& again) {
  Solution found = constrained_search(problem_, options, known_, start, context_, search_from);
  for (int round = 1;; ++round) {
    std::vector<ClusterId> labels = of_nodes(found.labels, known_);
    const auto clashes = known_.one_per_cluster->clashes(labels, round > kSearched ? kFurther : 0);
    if (clashes.pairs.empty()) {
      return found;
    }
    if (context_.should_stop() || round > kMostRounds ||
        learned_ + clashes.pairs.size() > kMostLearned) {
      return repaired(std::move(found), std::move(labels));
    }
    learn(clashes.pairs);
    const bool anew = round < kSearched && clashes.nodes > known_.nodes / kMany;
    found = constrained_search(problem_, options, known_, found.labels, context_,
                               anew ? search_from : again);
  }
}

}  // namespace shiftcut

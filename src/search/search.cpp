#include "search/search.hpp"

#include "multilevel/multilevel.hpp"
#include "relaxed/relaxed.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

// Restarts of a search from random labels.
template <class Descent>
Solution from_random_labels(const Problem& problem, const SearchOptions& options,
                            const Context& context, const Descent& descent) {
  const auto one_restart = [&](std::size_t, const Context& own) {
    Solution found;
    found.labels = random_labels(problem, options.clusters, own.rng);
    found.restarts.push_back(descent(problem, found.labels, options.clusters, own));
    found.cost = found.restarts.back().cost;
    return found;
  };
  const auto restarts = static_cast<std::size_t>(options.restarts);
  return best_of(restarts, lanes_for(problem, restarts, context.team), {options.seed, 0}, context,
                 one_restart);
}

// With K free, splits disconnected clusters of a graph where that lowers the cost, and descends
// from there. Usually there are none.
Solution connected(const Problem& problem, const SearchOptions& options, const Context& context,
                   Solution found) {
  const auto* graph = std::get_if<GraphProblem>(&problem);
  if (graph == nullptr || options.clusters) {
    return found;
  }
  Rng rng(options.seed, ~std::uint64_t{0});
  Clock::time_point start = Clock::now();
  while (split_disconnected(*graph, found.labels, context.team)) {
    compact_labels(found.labels);
    Restart restart = settle(problem, found.labels, context.with(rng));
    restart.seconds = seconds_since(start);
    start = Clock::now();
    found.cost = restart.cost;
    found.restarts.push_back(std::move(restart));
  }
  return found;
}

}  // namespace

Solution search(const Problem& problem, const SearchOptions& options,
                const std::vector<ClusterId>& start, const Context& context) {
  switch (options.method) {
    case Method::local_search:
      return from_random_labels(problem, options, context,
                                [](auto&&... arguments) { return descend(arguments...); });
    case Method::multilevel:
      return connected(problem, options, context, multilevel(problem, options, context));
    case Method::annealing:
      return from_random_labels(problem, options, context,
                                [](auto&&... arguments) { return anneal(arguments...); });
    case Method::frank_wolfe:
      return from_random_labels(problem, options, context,
                                [](auto&&... arguments) { return frank_wolfe(arguments...); });
    case Method::automatic:
      break;
  }
  return connected(problem, options, context, portfolio(problem, options, start, context));
}

}  // namespace shiftcut

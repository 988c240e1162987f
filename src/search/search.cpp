#include "search/search.hpp"

#include "search/annealing.hpp"
#include "search/frank_wolfe.hpp"
#include "search/multilevel.hpp"
#include "search/portfolio.hpp"

namespace shiftcut {

namespace {

// Restarts of a search from random labels.
template <class Descent>
Found from_random_labels(const Problem& problem, const SearchOptions& options, ThreadTeam& team,
                         const Control& control, StopCheck& stop, const Descent& descent) {
  const auto one_restart = [&](std::size_t r, ThreadTeam& own_team, const AfterSweep& after) {
    Rng rng(options.seed, r);
    Found found;
    found.labels = random_labels(problem, options.clusters, rng);
    found.restarts.push_back(
        descent(problem, found.labels, options.clusters, rng, own_team, stop, after));
    found.cost = found.restarts.back().cost;
    return found;
  };
  const auto restarts = static_cast<std::size_t>(options.restarts);
  return best_of(restarts, lanes_for(problem, restarts, team), team, control, stop, one_restart);
}

}  // namespace

Found search(const Problem& problem, const SearchOptions& options,
             const std::vector<ClusterId>& start, ThreadTeam& team, const Control& control,
             StopCheck& stop) {
  switch (options.method) {
    case Method::local_search:
      return from_random_labels(problem, options, team, control, stop,
                                [](auto&&... arguments) { return descend(arguments...); });
    case Method::multilevel:
      return multilevel(problem, options, team, control, stop);
    case Method::annealing:
      return from_random_labels(problem, options, team, control, stop,
                                [](auto&&... arguments) { return anneal(arguments...); });
    case Method::frank_wolfe:
      return from_random_labels(problem, options, team, control, stop,
                                [](auto&&... arguments) { return frank_wolfe(arguments...); });
    case Method::automatic:
      break;
  }
  return portfolio(problem, options, start, team, control, stop);
}

}  // namespace shiftcut

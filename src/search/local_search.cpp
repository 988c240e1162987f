#include "search/local_search.hpp"

namespace shiftcut {

Found local_search(const Problem& problem, const SearchOptions& options, ThreadTeam& team,
                   const Control& control, StopCheck& stop) {
  const auto one_restart = [&](std::size_t r, ThreadTeam& own_team, const AfterSweep& after_sweep) {
    Rng rng(options.seed, r);
    Found found;
    found.labels = random_labels(problem, options.clusters, rng);
    found.restarts.push_back(
        descend(problem, found.labels, options.clusters, rng, own_team, stop, after_sweep));
    found.cost = found.restarts.back().cost;
    return found;
  };
  const auto restarts = static_cast<std::size_t>(options.restarts);
  return best_of(restarts, lanes_for(problem, restarts, team), team, control, stop, one_restart);
}

}  // namespace shiftcut

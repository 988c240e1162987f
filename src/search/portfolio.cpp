#include "search/portfolio.hpp"

#include <algorithm>
#include <array>

#include "search/multilevel.hpp"
#include "search/perturb.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kLargeEdges = std::size_t{1} << 20;  // of a graph that one start must do for
constexpr std::size_t kRounds = 2;                         // of perturbation, without a time limit
constexpr std::size_t kInVain = 100;                       // rounds that end it before the limit
constexpr std::size_t kSideBySide = 2;                     // perturbations of a round

std::size_t edges_of(const Problem& problem) {
  const auto* graph = std::get_if<GraphProblem>(&problem);
  return graph != nullptr ? graph->graph().columns.size() : 0;
}

struct Plan {
  std::vector<MergeBy> multilevel;  // a start each
  std::size_t random = 0;           // starts of local search
  int trials = 0;                   // of a perturbation
};

// Of about the work of `restarts` restarts of local search.
Plan plan_for(const Problem& problem, const SearchOptions& options) {
  const int restarts = options.restarts;
  const auto few = static_cast<std::size_t>(restarts / 3 + 1);
  if (!has_levels(problem)) {
    return {{}, few, restarts / 2 + 1};
  }
  if (edges_of(problem) > kLargeEdges) {
    return {{MergeBy::cost}, 0, 0};
  }
  if (!options.clusters) {
    return {{MergeBy::cost, MergeBy::cost}, 0, restarts};
  }
  return {{MergeBy::cost, MergeBy::balance, MergeBy::average}, few, restarts};
}

void add(Found& best, Found found) {
  std::move(found.restarts.begin(), found.restarts.end(), std::back_inserter(best.restarts));
  if (found.cost < best.cost) {
    best.cost = found.cost;
    best.labels = std::move(found.labels);
  }
}

}  // namespace

Found portfolio(const Problem& problem, const SearchOptions& options, ThreadTeam& team,
                const Control& control, StopCheck& stop) {
  const Plan plan = plan_for(problem, options);
  const std::size_t starts = plan.multilevel.size() + plan.random;
  std::uint64_t stream = 0;  // of random numbers; each attempt has its own

  const auto start = [&](std::size_t r, ThreadTeam& own_team, const AfterSweep& after_sweep) {
    Rng rng(options.seed, stream + r);
    if (r < plan.multilevel.size()) {
      const CycleOptions how{options.clusters, plan.multilevel[r]};
      return cycles(problem, how, 2, rng, own_team, stop, after_sweep);
    }
    Found found;
    found.labels = random_labels(problem, options.clusters, rng);
    found.restarts.push_back(
        descend(problem, found.labels, options.clusters, rng, own_team, stop, after_sweep));
    found.cost = found.restarts.back().cost;
    return found;
  };
  Found best = best_of(starts, lanes_for(problem, starts, team), team, control, stop, start);
  stream += starts;

  const auto change = [&](std::size_t r, ThreadTeam& own_team, const AfterSweep& /*after*/) {
    Rng rng(options.seed, stream + r);
    Found found;
    found.labels = best.labels;
    found.restarts.push_back(perturb(problem, found.labels, best.cost, options.clusters,
                                     plan.trials, rng, own_team, stop));
    found.cost = found.restarts.back().cost;
    return found;
  };
  std::size_t in_vain = 0;
  for (std::size_t round = 0; plan.trials > 0 && !stop.should_stop(); ++round) {
    if (options.max_seconds > 0 ? in_vain >= kInVain : round >= kRounds) {
      break;
    }
    const double before = best.cost;
    add(best,
        best_of(kSideBySide, lanes_for(problem, kSideBySide, team), team, control, stop, change));
    stream += kSideBySide;
    in_vain = best.cost < before ? 0 : in_vain + 1;
  }
  return best;
}

}  // namespace shiftcut

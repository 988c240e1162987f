#include "strength/given_graph.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "strength/path_rule.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

namespace {

bool has_clusters_asked(const PathSolution& solution, std::optional<std::size_t> clusters) {
  const auto largest = std::ranges::max_element(solution.labels);
  return !clusters || *largest + std::size_t{1} >= *clusters;
}

// Of those with the number of clusters that is asked for, where some have it.
std::size_t most_surprising(const std::vector<PathSolution>& solutions,
                            std::optional<std::size_t> clusters, const SparseLevel& level,
                            double edges) {
  std::vector<std::size_t> eligible;
  for (std::size_t p = 0; p < solutions.size(); ++p) {
    if (has_clusters_asked(solutions[p], clusters)) {
      eligible.push_back(p);
    }
  }
  if (clusters && eligible.size() > 1) {
    eligible.pop_back();
  }
  if (eligible.empty()) {
    eligible.resize(solutions.size());
    std::iota(eligible.begin(), eligible.end(), std::size_t{0});
  }
  std::size_t best = eligible.front();
  double highest = -std::numeric_limits<double>::infinity();
  for (const std::size_t p : eligible) {
    const double value = net_surprise(level, solutions[p].labels, edges);
    if (value > highest) {
      highest = value;
      best = p;
    }
  }
  return best;
}

}  // namespace

GivenGraphPath solve_given_graph(PathPlan plan, const SparseLevel& level, double edges,
                                 const ShiftTerms& unit, const Context& context, WorkMeter& meter) {
  GivenGraphPath path;
  path.solutions = solve_along(plan, level, unit, context, meter);
  const auto needs_stronger = [&] {
    path.chosen = most_surprising(path.solutions, plan.clusters, level, edges);
    return path.solutions.size() > 1 && path.solutions.front().strength < kStrongest &&
           (path.chosen < 2 || !has_clusters_asked(path.solutions[1], plan.clusters));
  };
  while (needs_stronger() && !context.should_stop()) {
    plan.stream += (1 + kNeighborRounds) * plan.strengths.size();
    const double front = path.solutions.front().strength;
    plan.strengths.clear();
    for (std::size_t step = kStepsAtATime; step > 0; --step) {
      plan.strengths.push_back(front * std::pow(std::sqrt(2.0), static_cast<double>(step)));
    }
    std::vector<PathSolution> stronger = solve_along(plan, level, unit, context, meter);
    path.solutions.insert(path.solutions.begin(), std::make_move_iterator(stronger.begin()),
                          std::make_move_iterator(stronger.end()));
  }
  return path;
}

}  // namespace shiftcut

#include "strength/given_graph.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "strength/path_rule.hpp"
#include "strength/tuning.hpp"
#include "strength/vote.hpp"

namespace shiftcut {

namespace {

std::size_t most_surprising(const std::vector<PathSolution>& solutions, const SparseLevel& level,
                            double edges) {
  std::size_t best = 0;
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < solutions.size(); ++p) {
    const double value = net_surprise(level, solutions[p].labels, edges);
    if (value > highest) {
      highest = value;
      best = p;
    }
  }
  return best;
}

// The solutions with the number of clusters asked for; those of strong shifts come first.
std::vector<std::size_t> with_clusters_asked(const std::vector<PathSolution>& solutions,
                                             std::size_t clusters) {
  std::vector<std::size_t> found;
  for (std::size_t p = 0; p < solutions.size(); ++p) {
    if (std::ranges::max(solutions[p].labels) + std::size_t{1} >= clusters) {
      found.push_back(p);
    }
  }
  return found;
}

// From the weakest strength that gives K clusters on, as far as these stay nearly the same: the
// middle of that stretch, and not the weakest, as the search to come may find fewer there. Stronger
// shifts would give more clusters, and K of them are then forced together.
std::size_t steadiest(const std::vector<PathSolution>& solutions, std::size_t clusters,
                      const SparseLevel& level, double edges) {
  const std::vector<std::size_t> found = with_clusters_asked(solutions, clusters);
  if (found.empty()) {
    return most_surprising(solutions, level, edges);
  }
  const auto is_same = [&](std::size_t p, std::size_t q) {
    return agreement(level.nodes().volume, solutions[p].labels, solutions[q].labels) >= kAgrees;
  };
  std::size_t strongest = found.size() - 1;
  while (strongest > 0 && is_same(found[strongest], found[strongest - 1])) {
    --strongest;
  }
  const std::size_t middle = (strongest + found.size() - 1) / 2;
  return found[std::min(middle, found.size() - std::min<std::size_t>(2, found.size()))];
}

/// A path that grows where it needs more strengths.
class GrowingPath {
 public:
  GrowingPath(PathPlan plan, const SparseLevel& level, const ShiftTerms& unit,
              const Context& context, WorkMeter& meter)
      : plan_(std::move(plan)), level_(level), unit_(unit), context_(context), meter_(meter) {
    solutions_ = solve_along(plan_, level_, unit_, context_, meter_);
  }

  [[nodiscard]] const std::vector<PathSolution>& solutions() const { return solutions_; }
  std::vector<PathSolution> take() { return std::move(solutions_); }

  /// Several steps beyond the strongest.
  void add_stronger() {
    std::vector<double> strengths;
    double strength = solutions_.front().strength;
    for (std::size_t step = 0; step < kStepsAtATime; ++step) {
      strength *= std::sqrt(2.0);
      strengths.insert(strengths.begin(), strength);
    }
    add(0, std::move(strengths));
  }

  /// Three steps between solution p and the next weaker one.
  void add_between(std::size_t p) {
    const double strong = solutions_[p].strength;
    const double weak = solutions_[p + 1].strength;
    const double middle = std::sqrt(strong * weak);
    add(p + 1, {std::sqrt(strong * middle), middle, std::sqrt(middle * weak)});
  }

 private:
  void add(std::size_t at, std::vector<double> strengths) {
    plan_.stream += (1 + kNeighborRounds) * plan_.strengths.size();
    plan_.strengths = std::move(strengths);
    std::vector<PathSolution> more = solve_along(plan_, level_, unit_, context_, meter_);
    solutions_.insert(solutions_.begin() + static_cast<std::ptrdiff_t>(at),
                      std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  PathPlan plan_;
  const SparseLevel& level_;
  const ShiftTerms& unit_;
  const Context& context_;
  WorkMeter& meter_;
  std::vector<PathSolution> solutions_;
};

}  // namespace

GivenGraphPath solve_given_graph(PathPlan plan, const SparseLevel& level, double edges,
                                 const ShiftTerms& unit, const Context& context, WorkMeter& meter) {
  const std::optional<std::size_t> clusters = plan.clusters;
  GrowingPath path(std::move(plan), level, unit, context, meter);
  const auto found = [&] { return with_clusters_asked(path.solutions(), *clusters); };
  const auto needs_stronger = [&] {
    const bool is_at_end =
        clusters ? found().size() < 2 : most_surprising(path.solutions(), level, edges) < 2;
    return path.solutions().size() > 1 && path.solutions().front().strength < kStrongest &&
           is_at_end;
  };
  while (needs_stronger() && !context.should_stop()) {
    path.add_stronger();
  }
  if (!clusters) {
    const std::size_t chosen = most_surprising(path.solutions(), level, edges);
    return {path.take(), chosen};
  }
  // Finer steps below the weakest strength that gives K clusters and, if none of these does, above.
  const std::size_t coarse = found().size();
  if (coarse > 0 && found().back() + 1 < path.solutions().size() && !context.should_stop()) {
    path.add_between(found().back());
  }
  if (coarse > 1 && found().size() == coarse && !context.should_stop()) {
    path.add_between(found()[coarse - 2]);
  }
  const std::size_t chosen = steadiest(path.solutions(), *clusters, level, edges);
  return {path.take(), chosen};
}

}  // namespace shiftcut

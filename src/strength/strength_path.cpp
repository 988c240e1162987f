#include "strength/strength_path.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "descent/restarts.hpp"
#include "multilevel/multilevel.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

namespace {

class StrengthPath {
 public:
  StrengthPath(const PathPlan& plan, const SparseLevel& level, const ShiftTerms& unit,
               const Context& context, WorkMeter& meter)
      : plan_(plan),
        level_(level),
        unit_(unit),
        context_(context),
        meter_(meter),
        solutions_(plan.strengths.size()),
        is_unfinished_(plan.strengths.size(), 0) {}

  std::vector<PathSolution> run() {
    start_all();
    drop_unfinished();
    for (std::size_t round = 0; round < kNeighborRounds; ++round) {
      start_from_neighbors(round);
    }
    for (std::size_t i = 0; i < solutions_.size(); ++i) {
      solutions_[i].strength = plan_.strengths[i];
      compact_labels(solutions_[i].labels);
    }
    std::erase_if(solutions_, [](const PathSolution& solution) { return solution.labels.empty(); });
    return std::move(solutions_);
  }

 private:
  // Each strength's solution becomes what task() makes of it, or what a checkpoint holds of this
  // round.
  template <class Task>
  void for_each_strength(std::size_t round, const Task& task) {
    const std::string name =
        fmt::format("{}-{:x}-{}-{}", plan_.name, plan_.stream, plan_.clusters.value_or(0), round);
    Context keeping = context_;
    keeping.kept_as = plan_.name.empty() ? nullptr : name.c_str();
    context_.team.for_each(solutions_.size(), [&](std::size_t i, int) {
      if (i == 0 || !context_.should_stop()) {
        Solution made = kept(keeping, i, level_.size(), [&] {
          ThreadTeam alone(1);
          PathSolution now = std::move(solutions_[i]);
          task(i, at_strength(level_, unit_, plan_.strengths[i]), alone, now);
          return Solution{std::move(now.labels), now.cost, {}};
        });
        solutions_[i].labels = std::move(made.labels);
        solutions_[i].cost = made.cost;
        meter_.add();
      }
    });
  }

  PathSolution cycle(const SparseLevel& level, const std::vector<ClusterId>& start, Rng& rng,
                     ThreadTeam& alone) {
    PathSolution found;
    found.labels = level_cycle(level, start, {plan_.clusters}, {rng, alone, context_.stop});
    compact_labels(found.labels);  // equal solutions have equal labels
    found.cost = cost_of(level, found.labels);
    return found;
  }

  // Every strength on its own.
  void start_all() {
    for_each_strength(
        0, [&](std::size_t i, const SparseLevel& level, ThreadTeam& alone, PathSolution& best) {
          Rng rng(plan_.seed, plan_.stream + i);
          const int starts = level.edges() <= kEdgesForMoreStarts ? 3 : 1;
          for (int start = 0; start < starts && !(start > 0 && context_.should_stop()); ++start) {
            PathSolution found = cycle(level, {}, rng, alone);
            if (start == 0 && context_.should_stop()) {
              is_unfinished_[i] = 1;
            }
            if (start == 0 || found.cost < best.cost) {
              best = std::move(found);
            }
          }
        });
  }

  // What a stop has cut short says little about its strength; unless it is all there is.
  void drop_unfinished() {
    bool is_any_left = false;
    for (std::size_t i = 0; i < solutions_.size(); ++i) {
      is_any_left = is_any_left || (is_unfinished_[i] == 0 && !solutions_[i].labels.empty());
    }
    for (std::size_t i = 0; is_any_left && i < solutions_.size(); ++i) {
      if (is_unfinished_[i] != 0) {
        solutions_[i].labels.clear();
      }
    }
  }

  // Every strength from its neighbours' solutions as well; the lowest cost is kept.
  void start_from_neighbors(std::size_t round) {
    const std::vector<PathSolution> before = solutions_;
    for_each_strength(1 + round, [&](std::size_t i, const SparseLevel& level, ThreadTeam& alone,
                                     PathSolution& best) {
      Rng rng(plan_.seed, plan_.stream + (1 + round) * solutions_.size() + i);
      for (const std::size_t j : {i - 1, i + 1}) {  // 0 - 1 wraps around and is skipped
        if (j >= before.size() || before[i].labels.empty() || before[j].labels.empty() ||
            before[j].labels == best.labels) {
          continue;
        }
        PathSolution next = cycle(level, before[j].labels, rng, alone);
        if (next.cost < best.cost) {
          best = std::move(next);
        }
      }
    });
  }

  const PathPlan& plan_;
  const SparseLevel& level_;
  ShiftTerms unit_;
  Context context_;
  WorkMeter& meter_;
  std::vector<PathSolution> solutions_;
  std::vector<char> is_unfinished_;  // whether the first cycle was cut short
};

}  // namespace

std::vector<double> strengths_with_k() {
  std::vector<double> all;
  for (std::size_t i = 0; i < kStepsWithK; ++i) {
    all.push_back(std::ldexp(4, -static_cast<int>(i)));
  }
  return all;
}

std::vector<double> fine_strengths(double strongest, std::size_t steps) {
  std::vector<double> all;
  for (std::size_t i = 0; i < steps; ++i) {
    const double whole = std::ldexp(strongest, -static_cast<int>(i / 2));
    all.push_back(i % 2 == 0 ? whole : whole * std::sqrt(0.5));
  }
  return all;
}

SparseLevel at_strength(const SparseLevel& level, const ShiftTerms& unit, double strength) {
  return level.with_terms(unit.times(strength));
}

std::vector<PathSolution> solve_along(const PathPlan& plan, const SparseLevel& level,
                                      const ShiftTerms& unit, const Context& context,
                                      WorkMeter& meter) {
  return StrengthPath(plan, level, unit, context, meter).run();
}

}  // namespace shiftcut

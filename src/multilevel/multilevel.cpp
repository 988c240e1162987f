#include "multilevel/multilevel.hpp"

#include <list>
#include <numeric>
#include <stdexcept>

#include "core/message.hpp"
#include "multilevel/level.hpp"
#include "multilevel/local_moving.hpp"
#include "multilevel/small_matrix.hpp"
#include "multilevel/windows.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kSmallLevel = 128;  // nodes: so few that many restarts cost next to nothing
constexpr int kSmallRestarts = 10;
constexpr std::size_t kSettled = 4000;  // objects to a move of the last refinement, at least

class Cycle {
 public:
  Cycle(const CycleOptions& options, const Context& context)
      : options_(options), context_(context) {
    restart_.method = word_of(Method::multilevel);
  }

  // The way up and down again. `labels` empty: from single objects.
  template <class Finest>
  std::vector<ClusterId> run(const Finest& finest, std::vector<ClusterId> labels) {
    const bool from_labels = !labels.empty();
    objects_ = finest.size();
    std::vector<std::vector<ClusterId>> up;  // which coarser node each node of a level is part of
    std::list<SparseLevel> coarse;
    const auto climb = [&](const auto& level) {
      if (up.size() > 60 || context_.should_stop()) {
        return false;
      }
      std::vector<ClusterId> groups = come_together(level, labels);
      const std::size_t count = number_densely(groups);
      if (count == level.size()) {
        return false;
      }
      coarse.push_back(contract(level, groups, count, context_.team));
      if (from_labels) {
        std::vector<ClusterId> above(count);
        for (ObjectId v = 0; v < level.size(); ++v) {
          above[groups[v]] = labels[v];
        }
        labels = std::move(above);
      }
      up.push_back(std::move(groups));
      return true;
    };
    bool higher = climb(finest);
    while (higher) {
      higher = climb(coarse.back());
    }

    if (!from_labels) {
      labels = first_labels(finest, coarse);
    }
    if (coarse.empty()) {
      return refine(finest, std::move(labels), true);
    }
    restart_small(coarse.back(), labels);
    while (!coarse.empty()) {
      labels = refine(coarse.back(), std::move(labels), false);
      labels = passed_on(labels, up.back());
      up.pop_back();
      coarse.pop_back();
    }
    return refine(finest, std::move(labels), true);
  }

  Restart& restart() { return restart_; }
  [[nodiscard]] bool is_still() const { return is_still_; }
  [[nodiscard]] bool is_settled() const { return last_moves_ * kSettled <= objects_; }

 private:
  // Groups of nodes that lower the cost, within the clusters of `labels` where these are given.
  template <class Level>
  std::vector<ClusterId> come_together(const Level& level, const std::vector<ClusterId>& labels) {
    std::vector<ClusterId> single(level.size());
    std::iota(single.begin(), single.end(), ClusterId{0});
    if constexpr (!Level::kIsDense) {
      if (has_short_edges(level)) {
        Stretched stretched = come_together_by_stretches(level, labels, context_);
        single = std::move(stretched.labels);
        looks_ += stretched.judged;
        restart_.moves += stretched.moves;
      }
    }
    LocalMoving<Level> moving(level, single, level.size(), context_);
    moving.keep_within(labels);
    count(moving, moving.move_all());
    return moving.labels();
  }

  template <class Finest>
  std::vector<ClusterId> first_labels(const Finest& finest, const std::list<SparseLevel>& coarse) {
    const std::size_t nodes = coarse.empty() ? finest.size() : coarse.back().size();
    std::vector<ClusterId> labels(nodes);
    std::iota(labels.begin(), labels.end(), ClusterId{0});
    if (!options_.clusters || nodes <= *options_.clusters) {
      return labels;
    }
    if (context_.should_stop()) {  // merging would take too long now
      for (ClusterId& label : labels) {
        label %= static_cast<ClusterId>(*options_.clusters);
      }
      return labels;
    }
    if (coarse.empty()) {
      const SparseLevel same = contract(finest, labels, nodes, context_.team);
      return merge_clusters(same, *options_.clusters, options_.merge_by, context_.stop);
    }
    return merge_clusters(coarse.back(), *options_.clusters, options_.merge_by, context_.stop);
  }

  // Random labels for the few nodes of the coarsest level, again and again: kept if lower.
  void restart_small(const SparseLevel& level, std::vector<ClusterId>& labels) {
    if (!options_.clusters || level.size() > kSmallLevel || level.size() <= *options_.clusters) {
      return;
    }
    const SmallMatrix s = small_matrix(level);
    SmallDescent descent(s, *options_.clusters, level.nodes().tolerance);
    descent.begin(labels);
    descent.run(context_.rng);
    descent.restart(kSmallRestarts, context_);
    labels = descent.labels();
  }

  template <class Level>
  std::vector<ClusterId> refine(const Level& level, std::vector<ClusterId> labels, bool finest) {
    const std::size_t clusters = options_.clusters ? *options_.clusters : level.size();
    if (!options_.clusters) {
      number_densely(labels);
    }
    LocalMoving<Level> moving(level, labels, clusters, context_);
    const std::size_t moves = finest ? moving.move_until_still() : moving.move_all();
    if (finest) {
      is_still_ = moving.can_see_all();
      last_moves_ = moves;
    }
    count(moving, moves);
    return moving.labels();
  }

  template <class Moving>
  void count(const Moving& moving, std::size_t moves) {
    looks_ += moving.judged();
    restart_.moves += moves;
    restart_.sweeps = static_cast<int>((looks_ + objects_ - 1) / objects_);
    if (context_.after_sweep) {
      context_.after_sweep(restart_, moves);
    }
  }

  const CycleOptions& options_;
  Context context_;
  Restart restart_;
  std::size_t objects_ = 1;
  std::size_t looks_ = 0;
  std::size_t last_moves_ = 0;  // of objects, after all else
  bool is_still_ = false;
};

struct Cycled {
  Restart restart;
  bool is_settled;
};

Cycled one_cycle(const Problem& problem, std::vector<ClusterId>& labels,
                 const CycleOptions& options, const Context& context) {
  Cycle cycle(options, context);
  if (const auto* graph = std::get_if<GraphProblem>(&problem)) {
    labels = cycle.run(SparseLevel(*graph), std::move(labels));
  } else {
    labels = cycle.run(DenseLevel(std::get<DenseProblem>(problem)), std::move(labels));
  }
  Restart restart = cycle.restart();
  const Conflicts* conflicts = shiftcut::conflicts(problem);
  const bool holds = conflicts == nullptr || conflicts->satisfied_by(labels);
  if (!holds || (!cycle.is_still() && !context.should_stop())) {
    const Restart last = descend(problem, labels, options.clusters, context);
    restart.sweeps += last.sweeps;
    restart.moves += last.moves;
  }
  restart.cost = cost(problem, labels, context.team);
  return {restart, cycle.is_settled()};
}

}  // namespace

bool has_levels(const Problem& problem) {
  return std::holds_alternative<GraphProblem>(problem) ||
         std::holds_alternative<DenseProblem>(problem);
}

std::vector<ClusterId> cycle_of(const SparseLevel& level, std::vector<ClusterId> labels,
                                const CycleOptions& options, const Context& context) {
  return Cycle(options, context.unwatched()).run(level, std::move(labels));
}

Restart multilevel_cycle(const Problem& problem, std::vector<ClusterId>& labels,
                         const CycleOptions& options, const Context& context) {
  return one_cycle(problem, labels, options, context).restart;
}

Solution cycles(const Problem& problem, std::vector<ClusterId> labels, const CycleOptions& options,
                int most, const Context& context) {
  Solution found;
  found.labels = std::move(labels);
  for (int cycle = 0; cycle < most && !(cycle > 0 && context.should_stop()); ++cycle) {
    const Clock::time_point start = Clock::now();
    std::vector<ClusterId> next = found.labels;
    auto [restart, is_settled] = one_cycle(problem, next, options, context);
    restart.seconds = seconds_since(start);
    const bool is_better = cycle == 0 || restart.cost < found.cost;
    if (is_better) {
      found.cost = restart.cost;
      found.labels = std::move(next);
    }
    found.restarts.push_back(std::move(restart));
    if (!is_better || (options.until_settled && is_settled)) {
      break;
    }
  }
  return found;
}

Solution multilevel(const Problem& problem, const SearchOptions& options, const Context& context) {
  if (!has_levels(problem)) {
    refuse("not_applicable", "method",
           "{method}: found multilevel for linear or cosine features; allowed: auto, "
           "local-search, annealing or frank-wolfe, or {similarity=neighbors} or rbf");
  }
  const auto all_cycles = [&](std::size_t, const Context& own) {
    return cycles(problem, {}, {options.clusters, MergeBy::cost}, options.restarts, own);
  };
  return best_of(1, 1, {options.seed, 0}, context, all_cycles);
}

}  // namespace shiftcut

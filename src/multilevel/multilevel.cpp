#include "multilevel/multilevel.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <list>
#include <numeric>

#include "core/message.hpp"
#include "multilevel/local_moving.hpp"
#include "multilevel/quick_labels.hpp"
#include "multilevel/small_matrix.hpp"
#include "multilevel/tuning.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

// `labels` of a level's nodes, which agree within every group, as labels of the groups.
std::vector<ClusterId> labels_of_groups(std::span<const ClusterId> labels,
                                        std::span<const ClusterId> groups, std::size_t count,
                                        ThreadTeam& team) {
  std::vector<ClusterId> out(count);
  team.for_each((labels.size() + kNodesPerPiece - 1) / kNodesPerPiece, [&](std::size_t piece, int) {
    const std::size_t end = std::min(labels.size(), (piece + 1) * kNodesPerPiece);
    for (std::size_t v = piece * kNodesPerPiece; v < end; ++v) {
      std::atomic_ref(out[groups[v]]).store(labels[v], std::memory_order_relaxed);
    }
  });
  return out;
}

std::vector<ClusterId> single_nodes(std::size_t nodes) {
  std::vector<ClusterId> labels(nodes);
  std::iota(labels.begin(), labels.end(), ClusterId{0});
  return labels;
}

class Cycle {
 public:
  Cycle(const CycleOptions& options, const Context& context)
      : options_(options), context_(context) {
    restart_.method = word_of(Method::multilevel);
  }

  // Up the hierarchy and down again. `labels` empty: from single objects.
  template <class Finest>
  std::vector<ClusterId> run(const Finest& finest, std::vector<ClusterId> labels) {
    objects_ = finest.size();
    groups_moved_ = labels.empty() && !options_.clusters && finest.nodes().terms.per_product != 0;
    bool is_coarser = coarsen(finest, labels);
    while (is_coarser) {
      is_coarser = coarsen(levels_.back(), labels);
    }
    if (labels.empty()) {
      labels = initial_labels(finest);
    }
    if (!levels_.empty()) {
      search_coarsest(levels_.back(), labels);
    }
    while (!levels_.empty()) {
      labels = refine(levels_.back(), std::move(labels), false);
      labels = project_labels(labels, coarse_node_.back(), context_.team);
      coarse_node_.pop_back();
      levels_.pop_back();
    }
    return refine(finest, std::move(labels), true);
  }

  Restart& restart() { return restart_; }
  [[nodiscard]] bool is_local_optimum() const { return is_local_optimum_; }
  [[nodiscard]] bool is_converged() const { return last_moves_ * kObjectsPerLastMove <= objects_; }

 private:
  // Adds the level of groups that local moving finds, small ones within the clusters of `labels` if
  // these are given; they become labels of the new level. False if hardly any nodes were grouped:
  // with K free and no labels yet, the groups are these then. With the degree shift a first cycle
  // moves nodes on every level, then groups them within what has formed, as Leiden does: whole
  // clusters around hubs are too coarse to be contracted.
  template <class Level>
  bool coarsen(const Level& level, std::vector<ClusterId>& labels) {
    if (levels_.size() > kMostLevels || context_.should_stop()) {
      return false;
    }
    std::vector<ClusterId> groups = single_nodes(level.size());
    if (groups_moved_) {
      LocalMoving<Level> moving(level, labels.empty() ? groups : labels, level.size(), context_);
      count(moving, moving.move_all());
      labels = moving.labels();
      compact_labels(labels, context_.team);
    }
    LocalMoving<Level> moving(level, groups, level.size(), context_);
    moving.restrict_to(labels);
    count(moving, labels.empty() ? moving.move_most() : moving.group_once());
    groups = moving.labels();
    const std::size_t nodes = compact_labels(groups, context_.team);
    if (nodes == level.size()) {
      return false;
    }
    if (!options_.clusters && level.size() - nodes < level.size() / kNodesPerGrouped) {
      if (labels.empty()) {
        labels = std::move(groups);
      }
      return false;
    }
    levels_.push_back(contract(level, groups, nodes, context_.team));
    if (!labels.empty()) {
      labels = labels_of_groups(labels, groups, nodes, context_.team);
    }
    coarse_node_.push_back(std::move(groups));
    return true;
  }

  // Every node of the coarsest level its own cluster, merged to K where K is given.
  template <class Finest>
  std::vector<ClusterId> initial_labels(const Finest& finest) {
    const std::size_t nodes = levels_.empty() ? finest.size() : levels_.back().size();
    std::vector<ClusterId> labels = single_nodes(nodes);
    if (context_.should_stop() && (!options_.clusters || nodes > *options_.clusters)) {
      return labels_without_time(finest, std::move(labels));
    }
    if (!options_.clusters || nodes <= *options_.clusters) {
      return labels;
    }
    if (levels_.empty()) {
      const SparseLevel same = contract(finest, labels, nodes, context_.team);
      return merge_clusters(same, *options_.clusters, context_.stop);
    }
    return merge_clusters(levels_.back(), *options_.clusters, context_.stop);
  }

  // Merging would take too long now. A full matrix has better starts than these (search.cpp).
  template <class Finest>
  std::vector<ClusterId> labels_without_time(const Finest& finest, std::vector<ClusterId> labels) {
    if (!levels_.empty()) {
      return options_.clusters ? quick_labels(levels_.back(), options_.clusters) : labels;
    }
    if constexpr (!Finest::kIsDense) {
      return quick_labels(finest, options_.clusters);
    } else if (options_.clusters) {
      for (ClusterId& label : labels) {
        label %= static_cast<ClusterId>(*options_.clusters);
      }
    }
    return labels;
  }

  // Restarts from random labels, if the coarsest level is small; the lowest cost is kept.
  void search_coarsest(const SparseLevel& level, std::vector<ClusterId>& labels) {
    if (!options_.clusters || level.size() > kSmallCoarsestLevel ||
        level.size() <= *options_.clusters) {
      return;
    }
    const SmallMatrix s = small_matrix(level);
    SmallDescent descent(s, *options_.clusters, level.nodes().tolerance);
    descent.begin(labels);
    descent.run(context_.rng);
    descent.restart(kCoarsestRestarts, context_);
    labels = descent.labels();
  }

  template <class Level>
  std::vector<ClusterId> refine(const Level& level, std::vector<ClusterId> labels, bool finest) {
    const std::size_t clusters = options_.clusters ? *options_.clusters : level.size();
    if (!options_.clusters) {
      compact_labels(labels, context_.team);
    }
    LocalMoving<Level> moving(level, labels, clusters, context_);
    const std::size_t moves = finest ? moving.move_until_stable() : moving.move_most();
    if (finest) {
      is_local_optimum_ = moving.sees_all_clusters();
      last_moves_ = moves;
    }
    count(moving, moves);
    return moving.labels();
  }

  template <class Moving>
  void count(const Moving& moving, std::size_t moves) {
    visits_ += moving.visits();
    restart_.moves += moves;
    restart_.sweeps = static_cast<int>((visits_ + objects_ - 1) / objects_);
    if (context_.after_sweep) {
      context_.after_sweep(restart_, moves);
    }
  }

  const CycleOptions& options_;
  Context context_;
  std::list<SparseLevel> levels_;                    // the coarser ones; they do not move in memory
  std::vector<std::vector<ClusterId>> coarse_node_;  // of each node, in the next coarser level
  Restart restart_;
  std::size_t objects_ = 1;
  std::size_t visits_ = 0;
  std::size_t last_moves_ = 0;  // of the last refinement
  bool is_local_optimum_ = false;
  bool groups_moved_ = false;  // nodes move on a level before they are grouped
};

struct CycleResult {
  Restart restart;
  bool is_converged;
};

// The last stage: what moves of single nodes cannot see is left to the descent of the problem.
void finish(const Problem& problem, std::vector<ClusterId>& labels, bool is_local_optimum,
            std::optional<std::size_t> clusters, Restart& restart, const Context& context) {
  const Conflicts* conflicts = shiftcut::conflicts(problem);
  const bool holds = conflicts == nullptr || conflicts->satisfied_by(labels);
  if (!holds || (!is_local_optimum && !context.should_stop())) {
    const Restart last = descend(problem, labels, clusters, context);
    restart.sweeps += last.sweeps;
    restart.moves += last.moves;
  }
  restart.cost = cost(problem, labels, context.team);
}

template <class Level>
CycleResult run_cycle(const Problem& problem, const Level& level, std::vector<ClusterId>& labels,
                      const CycleOptions& options, const Context& context) {
  Cycle cycle(options, context);
  labels = cycle.run(level, std::move(labels));
  finish(problem, labels, cycle.is_local_optimum(), options.clusters, cycle.restart(), context);
  return {cycle.restart(), cycle.is_converged()};
}

template <class Level>
Solution run_cycles(const Problem& problem, const Level& level, std::vector<ClusterId> labels,
                    const CycleOptions& options, int most, const Context& context) {
  Solution best;
  best.labels = std::move(labels);
  for (int cycle = 0; cycle < most && !(cycle > 0 && context.should_stop()); ++cycle) {
    const Clock::time_point start = Clock::now();
    std::vector<ClusterId> next = best.labels;
    auto [restart, is_converged] = run_cycle(problem, level, next, options, context);
    restart.seconds = seconds_since(start);
    const double gain = best.cost - restart.cost;
    const bool is_better = cycle == 0 || gain > 0;
    const bool pays = (cycle == 0 || gain > options.least_gain * std::abs(best.cost)) &&
                      !(options.least_gain > 0 && is_converged);
    if (is_better) {
      best.cost = restart.cost;
      best.labels = std::move(next);
    }
    best.restarts.push_back(std::move(restart));
    if (!is_better || !pays) {
      break;
    }
  }
  return best;
}

}  // namespace

bool has_levels(const Problem& problem) {
  return std::holds_alternative<GraphProblem>(problem) ||
         std::holds_alternative<DenseProblem>(problem);
}

std::vector<ClusterId> level_cycle(const SparseLevel& level, std::vector<ClusterId> labels,
                                   const CycleOptions& options, const Context& context) {
  return Cycle(options, context.unwatched()).run(level, std::move(labels));
}

Restart multilevel_cycle(const Problem& problem, std::vector<ClusterId>& labels,
                         const CycleOptions& options, const Context& context) {
  if (const auto* graph = std::get_if<GraphProblem>(&problem)) {
    const SparseLevel level(*graph, context.team);
    return run_cycle(problem, level, labels, options, context).restart;
  }
  const DenseLevel level(std::get<DenseProblem>(problem));
  return run_cycle(problem, level, labels, options, context).restart;
}

Solution multilevel_cycles(const Problem& problem, std::vector<ClusterId> labels,
                           const CycleOptions& options, int most, const Context& context) {
  if (const auto* graph = std::get_if<GraphProblem>(&problem)) {
    const SparseLevel level(*graph, context.team);
    return run_cycles(problem, level, std::move(labels), options, most, context);
  }
  const DenseLevel level(std::get<DenseProblem>(problem));
  return run_cycles(problem, level, std::move(labels), options, most, context);
}

Restart settle(const Problem& problem, std::vector<ClusterId>& labels,
               std::span<const ClusterId> before, const Context& context) {
  const SparseLevel level(std::get<GraphProblem>(problem), context.team);
  LocalMoving<SparseLevel> moving(level, labels, level.size(), context);
  Restart restart;
  restart.method = word_of(Method::multilevel);
  restart.moves = before.empty() ? moving.move_until_stable() : moving.move_changed(before);
  restart.sweeps = static_cast<int>((moving.visits() + level.size() - 1) / level.size());
  labels = moving.labels();
  finish(problem, labels, moving.sees_all_clusters(), {}, restart, context);
  return restart;
}

Solution multilevel(const Problem& problem, const SearchOptions& options, const Context& context) {
  if (!has_levels(problem)) {
    refuse("not_applicable", "method",
           "{method}: found multilevel for linear or cosine features; allowed: auto, "
           "local-search, annealing or frank-wolfe, or {similarity=neighbors} or rbf");
  }
  const auto all_cycles = [&](std::size_t, const Context& own) {
    return multilevel_cycles(problem, {}, {options.clusters}, options.restarts, own);
  };
  return best_of(1, 1, {options.seed, 0}, context, all_cycles);
}

}  // namespace shiftcut

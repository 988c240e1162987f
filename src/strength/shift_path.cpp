#include "strength/shift_path.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "constraints/pairs.hpp"
#include "core/kernels/elementary.hpp"
#include "core/partition.hpp"
#include "core/work_meter.hpp"
#include "multilevel/level.hpp"
#include "multilevel/local_moving.hpp"
#include "multilevel/multilevel.hpp"
#include "strength/path_rule.hpp"

namespace shiftcut {

namespace {

// Streams of random numbers from here on; the searches use the first ones.
constexpr std::uint64_t kStream = std::uint64_t{1} << 40;

std::vector<double> strengths(bool k_given) {
  std::vector<double> all;
  for (std::size_t i = 0; i < (k_given ? kStepsWithK : kStepsFree); ++i) {
    const double whole = std::ldexp(k_given ? 4 : 8, -static_cast<int>(i / 2));
    all.push_back(i % 2 == 0 ? whole : whole * std::sqrt(0.5));
  }
  return all;
}

class Path {
 public:
  Path(const GraphProblem& problem, const SearchOptions& options, const LinkOptions& pairs,
       const Context& context, const PathSizes& sizes)
      : objects_(problem),
        options_(options),
        sizes_(sizes),
        pairs_(pairs),
        context_(context),
        strengths_(strengths(options.clusters.has_value())),
        terms_(problem.terms()),
        solutions_(strengths_.size()),
        meter_(context.control(), "shift path", (1 + kNeighborRounds) * strengths_.size()) {}

  ShiftPath run() {
    contract_graph();
    start_all();
    for (std::size_t round = 0; round < kNeighborRounds; ++round) {
      start_from_neighbors(round);
    }
    return select_strength();
  }

 private:
  struct Labelling {
    std::vector<ClusterId> labels;
    double cost = 0;
  };

  [[nodiscard]] const SparseLevel& base() const { return contracted_ ? *contracted_ : objects_; }
  [[nodiscard]] SparseLevel level_at(std::size_t i) const {
    const double strength = strengths_[i];
    return base().with_terms({terms_.flat * strength, terms_.per_degree * strength});
  }
  [[nodiscard]] CycleOptions cycle() const { return {options_.clusters}; }

  // A large graph is contracted: groups that one pass of local moving finds under the strongest
  // shift stay together. If many edges are left, once more.
  void contract_graph() {
    Rng rng(options_.seed, kStream);
    for (const std::size_t edges : {sizes_.smaller, sizes_.again}) {
      if (base().edges() <= edges || context_.should_stop()) {
        return;
      }
      const SparseLevel strongest = level_at(0);
      std::vector<ClusterId> groups(strongest.size());
      std::iota(groups.begin(), groups.end(), ClusterId{0});
      LocalMoving<SparseLevel> moving(strongest, groups, strongest.size(), context_.with(rng));
      moving.move_once();
      groups = moving.labels();
      const std::size_t count = compact_labels(groups);
      contracted_.emplace(contract(base(), groups, count, context_.team));
      groups_ = groups_.empty() ? std::move(groups) : project_labels(groups, groups_);
    }
  }

  // Each strength runs on one thread, so that the number of threads does not change the result.
  template <class Task>
  void for_each_strength(const Task& task) {
    context_.team.for_each(strengths_.size(), [&](std::size_t i, int) {
      if (i == 0 || !context_.should_stop()) {
        ThreadTeam alone(1);
        task(i, level_at(i), alone);
        meter_.add();
      }
    });
  }

  // Every strength on its own.
  void start_all() {
    for_each_strength([&](std::size_t i, const SparseLevel& level, ThreadTeam& alone) {
      Rng rng(options_.seed, kStream + 1 + i);
      const int starts = level.edges() <= kEdgesForMoreStarts ? 3 : 1;
      for (int start = 0; start < starts && !(start > 0 && context_.should_stop()); ++start) {
        Labelling found;
        found.labels = level_cycle(level, {}, cycle(), {rng, alone, context_.stop});
        found.cost = cost_of(level, found.labels);
        if (start == 0 || found.cost < solutions_[i].cost) {
          solutions_[i] = std::move(found);
        }
      }
    });
  }

  // Every strength from its neighbours' solutions as well; the lowest cost is kept.
  void start_from_neighbors(std::size_t round) {
    const std::vector<Labelling> before = solutions_;
    for_each_strength([&](std::size_t i, const SparseLevel& level, ThreadTeam& alone) {
      Rng rng(options_.seed, kStream + 1 + (1 + round) * strengths_.size() + i);
      for (const std::size_t j : {i - 1, i + 1}) {  // 0 - 1 wraps around and is skipped
        if (j >= before.size() || before[i].labels.empty() || before[j].labels.empty() ||
            before[j].labels == solutions_[i].labels) {
          continue;
        }
        Labelling next;
        next.labels = level_cycle(level, before[j].labels, cycle(), {rng, alone, context_.stop});
        next.cost = cost_of(level, next.labels);
        if (next.cost < solutions_[i].cost) {
          solutions_[i] = std::move(next);
        }
      }
    });
  }

  ShiftPath select_strength() {
    ShiftPath path;
    std::vector<const Labelling*> solutions;
    for (std::size_t i = 0; i < strengths_.size(); ++i) {
      if (solutions_[i].labels.empty()) {
        continue;
      }
      compact_labels(solutions_[i].labels);
      PathPoint point;
      point.strength = strengths_[i];
      point.cost = solutions_[i].cost;
      point.sizes = sizes_of(solutions_[i].labels);
      point.clusters = point.sizes.size();
      const std::size_t asked = options_.clusters ? *options_.clusters : point.clusters;
      point.criterion = conductance_criterion(base(), solutions_[i].labels, asked);
      path.points.push_back(std::move(point));
      solutions.push_back(&solutions_[i]);
    }
    set_agreement(solutions, path.points);
    const std::size_t chosen = choose_by_pairs(solutions, choose(path));
    path.strength = path.points[chosen].strength;
    path.labels = of_objects(solutions[chosen]->labels);
    return path;
  }

  // Without a plateau the number of clusters says nothing; then a strength that suits most data.
  std::size_t choose(ShiftPath& path) const {
    if (options_.clusters) {
      return best_point(path.points);
    }
    const std::optional<std::size_t> longest = plateau(path.points, objects_.size());
    path.has_plateau = longest.has_value();
    if (longest) {
      return *longest;
    }
    const auto nearest = std::min_element(
        path.points.begin(), path.points.end(), [](const PathPoint& a, const PathPoint& b) {
          return std::abs(portable_log(a.strength / kStrengthWithoutPlateau)) <
                 std::abs(portable_log(b.strength / kStrengthWithoutPlateau));
        });
    return static_cast<std::size_t>(nearest - path.points.begin());
  }

  [[nodiscard]] std::size_t choose_by_pairs(const std::vector<const Labelling*>& solutions,
                                            std::size_t chosen) const {
    if (pairs_.empty()) {
      return chosen;
    }
    const auto satisfied_at = [&](std::size_t p) {
      return satisfied_pairs(pairs_, of_objects(solutions[p]->labels));
    };
    const auto away = [&](std::size_t p) { return p > chosen ? p - chosen : chosen - p; };
    const std::vector<bool> satisfied = satisfied_at(chosen);
    std::size_t best = chosen;
    double best_margin = 0;
    for (std::size_t p = 0; p < solutions.size(); ++p) {
      const double margin = significantly_more(satisfied, satisfied_at(p));
      if (margin > best_margin || (margin > 0 && margin == best_margin && away(p) < away(best))) {
        best_margin = margin;
        best = p;
      }
    }
    return best;
  }

  void set_agreement(const std::vector<const Labelling*>& solutions,
                     std::vector<PathPoint>& points) {
    std::vector<double> with_next;
    for (std::size_t p = 0; p + 1 < points.size(); ++p) {
      with_next.push_back(agreement(base(), solutions[p]->labels, solutions[p + 1]->labels));
    }
    for (std::size_t p = 0; p < points.size(); ++p) {
      const std::size_t before = p > 0 ? p - 1 : p;
      const std::size_t after = p + 1 < points.size() ? p : before;
      points[p].agreement = with_next.empty() ? 1.0 : (with_next[before] + with_next[after]) / 2;
    }
  }

  [[nodiscard]] std::vector<std::size_t> sizes_of(const std::vector<ClusterId>& labels) const {
    std::vector<std::size_t> sizes(*std::max_element(labels.begin(), labels.end()) +
                                   std::size_t{1});
    for (ObjectId v = 0; v < base().size(); ++v) {
      sizes[labels[v]] += static_cast<std::size_t>(base().nodes().volume[v].size);
    }
    std::sort(sizes.rbegin(), sizes.rend());
    return sizes;
  }

  [[nodiscard]] std::vector<ClusterId> of_objects(const std::vector<ClusterId>& labels) const {
    return contracted_ ? project_labels(labels, groups_) : labels;
  }

  SparseLevel objects_;
  const SearchOptions& options_;
  PathSizes sizes_;
  const LinkOptions& pairs_;
  Context context_;
  std::vector<double> strengths_;
  ShiftTerms terms_;  // of strength 1
  std::vector<ClusterId> groups_;
  std::optional<SparseLevel> contracted_;
  std::vector<Labelling> solutions_;
  WorkMeter meter_;
};

}  // namespace

ShiftPath shift_path(const GraphProblem& problem, const SearchOptions& options,
                     const LinkOptions& answers, const Context& context, const PathSizes& sizes) {
  const bool trivial =
      problem.graph().columns.empty() || (options.clusters && *options.clusters < 2);
  return trivial ? ShiftPath{} : Path(problem, options, answers, context, sizes).run();
}

}  // namespace shiftcut

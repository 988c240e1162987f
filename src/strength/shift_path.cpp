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

constexpr std::size_t kGivenSteps = 18;  // with K given: 4, 2.8, 2 ... 0.011
constexpr std::size_t kFreeSteps = 28;   // with K free: 8, 5.7, 4 ... 0.0007
constexpr std::size_t kRounds = 2;       // of learning from neighbours
constexpr double kWithoutPlateau = 0.25;
constexpr std::size_t kSmallEdges = std::size_t{1} << 15;  // of a graph worth several starts
constexpr std::uint64_t kStream = std::uint64_t{1}
                                  << 40;  // of random numbers; others use the first

std::vector<double> strengths(bool k_given) {
  std::vector<double> all;
  for (std::size_t i = 0; i < (k_given ? kGivenSteps : kFreeSteps); ++i) {
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
        answers_(strengths_.size()),
        meter_(context.control(), "shift path", (1 + kRounds) * strengths_.size()) {}

  ShiftPath run() {
    make_smaller();
    start_all();
    for (std::size_t round = 0; round < kRounds; ++round) {
      learn_from_neighbors(round);
    }
    return judged();
  }

 private:
  struct Answer {
    std::vector<ClusterId> labels;
    double cost = 0;
  };

  [[nodiscard]] const SparseLevel& base() const { return small_ ? *small_ : objects_; }
  [[nodiscard]] SparseLevel level_at(std::size_t i) const {
    const double strength = strengths_[i];
    return base().with_terms({terms_.flat * strength, terms_.per_degree * strength});
  }
  [[nodiscard]] CycleOptions cycle() const { return {options_.clusters, MergeBy::cost}; }

  // A large graph: what comes together at once under the strongest shift stays together; where much
  // is left, once more.
  void make_smaller() {
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
      const std::size_t count = number_densely(groups);
      small_.emplace(contract(base(), groups, count, context_.team));
      groups_ = groups_.empty() ? std::move(groups) : passed_on(groups, groups_);
    }
  }

  // One strength after another for each thread: no waiting for others, and the same on any number.
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

  // Every strength by itself.
  void start_all() {
    for_each_strength([&](std::size_t i, const SparseLevel& level, ThreadTeam& alone) {
      Rng rng(options_.seed, kStream + 1 + i);
      const int starts = level.edges() <= kSmallEdges ? 3 : 1;
      for (int start = 0; start < starts && !(start > 0 && context_.should_stop()); ++start) {
        Answer answer;
        answer.labels = cycle_of(level, {}, cycle(), {rng, alone, context_.stop});
        answer.cost = cost_of(level, answer.labels);
        if (start == 0 || answer.cost < answers_[i].cost) {
          answers_[i] = std::move(answer);
        }
      }
    });
  }

  // Each from its neighbours' answers as well; the lowest is kept.
  void learn_from_neighbors(std::size_t round) {
    const std::vector<Answer> before = answers_;
    for_each_strength([&](std::size_t i, const SparseLevel& level, ThreadTeam& alone) {
      Rng rng(options_.seed, kStream + 1 + (1 + round) * strengths_.size() + i);
      for (const std::size_t j : {i - 1, i + 1}) {  // i - 1 of 0 is too large
        if (j >= before.size() || before[i].labels.empty() || before[j].labels.empty() ||
            before[j].labels == answers_[i].labels) {
          continue;
        }
        Answer next;
        next.labels = cycle_of(level, before[j].labels, cycle(), {rng, alone, context_.stop});
        next.cost = cost_of(level, next.labels);
        if (next.cost < answers_[i].cost) {
          answers_[i] = std::move(next);
        }
      }
    });
  }

  ShiftPath judged() {
    ShiftPath path;
    std::vector<const Answer*> answers;
    for (std::size_t i = 0; i < strengths_.size(); ++i) {
      if (answers_[i].labels.empty()) {
        continue;
      }
      number_densely(answers_[i].labels);
      PathPoint point;
      point.strength = strengths_[i];
      point.cost = answers_[i].cost;
      point.sizes = sizes_of(answers_[i].labels);
      point.clusters = point.sizes.size();
      const std::size_t asked = options_.clusters ? *options_.clusters : point.clusters;
      point.criterion = leak_criterion(base(), answers_[i].labels, asked);
      path.points.push_back(std::move(point));
      answers.push_back(&answers_[i]);
    }
    set_agreement(answers, path.points);
    const std::size_t chosen = choose_by_pairs(answers, choose(path));
    path.strength = path.points[chosen].strength;
    path.labels = of_objects(answers[chosen]->labels);
    return path;
  }

  // A number of clusters that never lasts says nothing: then a strength that is right on many data.
  std::size_t choose(ShiftPath& path) const {
    if (options_.clusters) {
      return best_point(path.points);
    }
    const std::optional<std::size_t> stretch = plateau(path.points, objects_.size());
    path.has_plateau = stretch.has_value();
    if (stretch) {
      return *stretch;
    }
    const auto nearest = std::min_element(
        path.points.begin(), path.points.end(), [](const PathPoint& a, const PathPoint& b) {
          return std::abs(portable_log(a.strength / kWithoutPlateau)) <
                 std::abs(portable_log(b.strength / kWithoutPlateau));
        });
    return static_cast<std::size_t>(nearest - path.points.begin());
  }

  [[nodiscard]] std::size_t choose_by_pairs(const std::vector<const Answer*>& answers,
                                            std::size_t chosen) const {
    if (pairs_.empty()) {
      return chosen;
    }
    const auto kept_at = [&](std::size_t p) {
      return satisfied_pairs(pairs_, of_objects(answers[p]->labels));
    };
    const auto away = [&](std::size_t p) { return p > chosen ? p - chosen : chosen - p; };
    const std::vector<bool> kept = kept_at(chosen);
    std::size_t best = chosen;
    double best_margin = 0;
    for (std::size_t p = 0; p < answers.size(); ++p) {
      const double margin = significantly_more(kept, kept_at(p));
      if (margin > best_margin || (margin > 0 && margin == best_margin && away(p) < away(best))) {
        best_margin = margin;
        best = p;
      }
    }
    return best;
  }

  void set_agreement(const std::vector<const Answer*>& answers, std::vector<PathPoint>& points) {
    std::vector<double> with_next;
    for (std::size_t p = 0; p + 1 < points.size(); ++p) {
      with_next.push_back(agreement(base(), answers[p]->labels, answers[p + 1]->labels));
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
      sizes[labels[v]] += static_cast<std::size_t>(base().nodes().mass[v].size);
    }
    std::sort(sizes.rbegin(), sizes.rend());
    return sizes;
  }

  [[nodiscard]] std::vector<ClusterId> of_objects(const std::vector<ClusterId>& labels) const {
    return small_ ? passed_on(labels, groups_) : labels;
  }

  SparseLevel objects_;
  const SearchOptions& options_;
  PathSizes sizes_;
  const LinkOptions& pairs_;
  Context context_;
  std::vector<double> strengths_;
  ShiftTerms terms_;  // of strength 1
  std::vector<ClusterId> groups_;
  std::optional<SparseLevel> small_;
  std::vector<Answer> answers_;
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

#include "search/portfolio.hpp"

#include <algorithm>
#include <cmath>

#include "multilevel/multilevel.hpp"
#include "search/coarse_start.hpp"
#include "search/perturb.hpp"
#include "search/recombine.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kLargeEdges = std::size_t{1} << 20;  // of a graph that two cycles must do for
constexpr std::size_t kQuickEdges = std::size_t{1} << 17;  // of a graph that takes milliseconds
constexpr std::size_t kFewObjects = 800;                   // of which the coarse starts see all
constexpr std::size_t kQuickObjects = 512;                 // of which a change takes microseconds
constexpr std::size_t kManyObjects = 4096;                 // too many for levels of a full matrix
constexpr int kMostRestarts = 100'000;                     // that make it do more
constexpr std::size_t kMostStarts = 32;                    // whose answers are kept
constexpr double kSameCost = 1e-6;                         // relative
constexpr std::size_t kInVain = 100;  // rounds that end it before the time limit

// What is done for a number of restarts, in about the time that many of local search take.
struct Plan {
  std::size_t multilevel = 0;  // starts, whose answers are combined
  int cycles = 1;              // of each, at most
  bool is_large = false;       // a graph: no more cycles than it takes to settle
  bool is_thorough = true;     // when answers are combined
  std::size_t coarse = 0;      // attempts on a sample
  int trials = 0;              // changes of the best of them
  std::size_t keep = 1;        // of their answers
  std::size_t random = 0;      // starts of local search
  int sweeps = 0;              // of perturbation
};

std::size_t edges_of(const Problem& problem) {
  const auto* graph = std::get_if<GraphProblem>(&problem);
  return graph != nullptr ? graph->graph().columns.size() : 0;
}

bool has_few_clusters(const SearchOptions& options) {
  return options.clusters && *options.clusters <= kFewClusters;
}

Plan plan_for_graph(const Problem& problem, const SearchOptions& options, int restarts,
                    bool has_start) {
  Plan plan;
  plan.is_large = edges_of(problem) > kLargeEdges;
  if (plan.is_large) {
    plan.multilevel = has_start ? 0 : 1;
    plan.cycles = 2;
  } else if (has_pool(problem, options.clusters)) {
    plan.multilevel = 1;
    plan.sweeps = restarts;
  } else {
    plan.is_thorough = !has_few_clusters(options);
    const int starts = 1 + (plan.is_thorough ? restarts * 3 / 10 : restarts / 5);
    plan.multilevel = std::min(static_cast<std::size_t>(starts), kMostStarts);
    const bool has_more_time = plan.multilevel < static_cast<std::size_t>(starts);
    plan.sweeps = has_more_time ? restarts : restarts / (plan.is_thorough ? 5 : 20);
  }
  return plan;
}

Plan plan_for(const Problem& problem, const SearchOptions& options, bool has_start) {
  const int bounded = std::min(options.restarts, kMostRestarts);
  if (std::holds_alternative<GraphProblem>(problem)) {
    return plan_for_graph(problem, options, bounded, has_start);
  }
  Plan plan;
  const auto restarts = static_cast<std::size_t>(bounded);
  plan.cycles = size(problem) <= kFewObjects / 2 ? 1 : 2;
  if (!has_coarse_start(problem, options.clusters)) {
    plan.random = restarts;
    return plan;
  }
  const bool sees_all = size(problem) <= kFewObjects;
  plan.coarse = sees_all ? restarts / 2 + 1 : restarts / 3 + 1;
  plan.trials = size(problem) <= kQuickObjects ? 2 * bounded : (bounded + 1) / 2;
  plan.keep = sees_all ? 1 : 3;
  plan.random = sees_all ? 0 : restarts / 2;
  // Similarities may be local, as those of a graph, which a sample does not show; distances are
  // not.
  const auto* dense = std::get_if<DenseProblem>(&problem);
  if (dense != nullptr && size(problem) <= kManyObjects &&
      (!options.clusters || dense->sign() > 0)) {
    plan.multilevel = 1;
  }
  return plan;
}

void add(Solution& best, Solution found) {
  const bool is_first = best.restarts.empty();
  std::move(found.restarts.begin(), found.restarts.end(), std::back_inserter(best.restarts));
  if (is_first || found.cost < best.cost) {
    best.cost = found.cost;
    best.labels = std::move(found.labels);
  }
}

class Portfolio {
 public:
  Portfolio(const Problem& problem, const SearchOptions& options,
            const std::vector<ClusterId>& given, const Context& context)
      : problem_(problem),
        options_(options),
        given_(given),
        plan_(plan_for(problem, options, !given.empty())),
        context_(context) {}

  Solution run() {
    start();
    if (options_.max_seconds > 0) {
      go_on();
    } else if (plan_.sweeps > 0 && !context_.should_stop()) {
      change(plan_.sweeps);
    }
    return std::move(best_);
  }

 private:
  void start() {
    if (std::holds_alternative<GraphProblem>(problem_)) {
      Solution before{best_.labels, best_.cost, {}};
      start_on_graph();
      answers_.push_back(std::move(before));
      combine_answers();
    } else {
      start_elsewhere();
    }
  }

  // Two starts first: where they agree, others would mostly find the same.
  void start_on_graph() {
    const std::size_t given = given_.empty() ? 0 : 1;
    const std::size_t wanted = given + plan_.multilevel;
    const auto start_up_to = [&](std::size_t end) {
      const std::size_t begin = answers_.size();
      answers_.resize(end);
      attempt(end - begin, [&](std::size_t r, const Context& own) {
        Solution found = by_levels(begin + r < given, own);
        answers_[begin + r] = {found.labels, found.cost, {}};
        return found;
      });
    };
    start_up_to(std::min<std::size_t>(2, wanted));
    if (wanted > 2 && !context_.should_stop()) {
      const bool has_time = plan_.is_thorough && edges_of(problem_) <= kQuickEdges;
      if (!has_time &&
          std::abs(answers_[0].cost - answers_[1].cost) <= kSameCost * std::abs(best_.cost)) {
        answers_.resize(1);
      } else {
        start_up_to(wanted);
      }
    }
  }

  Solution by_levels(bool is_given, const Context& own) {
    return cycles(problem_, is_given ? given_ : std::vector<ClusterId>{},
                  {options_.clusters, MergeBy::cost, plan_.is_large}, plan_.cycles, own);
  }

  // Starts of all kinds, side by side.
  void start_elsewhere() {
    std::vector<std::vector<ClusterId>> begun;
    if (plan_.coarse > 0) {
      begun = coarse_starts(
          problem_,
          {options_.clusters, plan_.coarse, plan_.trials, plan_.keep, options_.seed, stream_},
          context_);
      stream_ += plan_.coarse + 1;
    }
    const std::size_t given = given_.empty() || !has_levels(problem_) ? 0 : 1;
    const std::size_t levels = given + plan_.multilevel;
    const std::size_t count = levels + begun.size() + plan_.random;
    attempt(count, [&](std::size_t r, const Context& own) {
      if (r < levels) {
        return by_levels(r < given, own);
      }
      r -= levels;
      const bool is_random = r >= begun.size();
      Solution found;
      found.labels =
          is_random ? random_labels(problem_, options_.clusters, own.rng) : std::move(begun[r]);
      found.restarts.push_back(descend(problem_, found.labels, options_.clusters, own));
      if (!is_random) {
        found.restarts.back().method = "coarse-start";
      }
      found.cost = found.restarts.back().cost;
      return found;
    });
  }

  // Answers of multilevel search, two and two side by side, until one is left.
  void combine_answers() {
    std::erase_if(answers_, [](const Solution& answer) { return answer.labels.empty(); });
    while (answers_.size() > 1 && !context_.should_stop()) {
      std::vector<Solution> made(answers_.size() / 2);
      attempt(made.size(), [&](std::size_t r, const Context& own) {
        Solution found = combine(problem_, answers_[2 * r], answers_[2 * r + 1],
                                 {options_.clusters, plan_.is_thorough}, own);
        made[r] = {found.labels, found.cost, {}};
        return found;
      });
      if (answers_.size() % 2 == 1) {
        made.push_back(std::move(answers_.back()));
      }
      answers_ = std::move(made);
    }
    answers_.clear();
  }

  // Changes of the best so far.
  void change(int sweeps) {
    const Solution from{best_.labels, best_.cost, {}};
    attempt(1, [&](std::size_t, const Context& own) {
      Solution found{from.labels, from.cost, {}};
      found.restarts.push_back(
          perturb(problem_, found.labels, from.cost, {options_.clusters, sweeps}, own));
      found.cost = found.restarts.back().cost;
      return found;
    });
  }

  // Until the time is up, or much has been in vain: changes of the best, and new starts.
  void go_on() {
    plan_.is_thorough = true;
    plan_.cycles = has_few_clusters(options_) ? std::max(2, options_.restarts) : plan_.cycles;
    for (std::size_t in_vain = 0; in_vain < kInVain && !context_.should_stop(); ++in_vain) {
      const double before = best_.cost;
      change(std::max(1, options_.restarts));
      if (in_vain % 4 == 3 && !context_.should_stop()) {
        start();
      }
      if (best_.cost < before) {
        in_vain = 0;
      }
    }
  }

  template <class Run>
  void attempt(std::size_t count, const Run& run) {
    add(best_, best_of(count, lanes_for(problem_, count, context_.team), {options_.seed, stream_},
                       context_, run));
    stream_ += count;
  }

  const Problem& problem_;
  const SearchOptions& options_;
  const std::vector<ClusterId>& given_;
  Plan plan_;
  Context context_;
  Solution best_;
  std::vector<Solution> answers_;  // of multilevel starts, to be combined
  std::uint64_t stream_ = 0;       // of random numbers; each attempt has its own
};

}  // namespace

Solution portfolio(const Problem& problem, const SearchOptions& options,
                   const std::vector<ClusterId>& start, const Context& context) {
  return Portfolio(problem, options, start, context).run();
}

}  // namespace shiftcut

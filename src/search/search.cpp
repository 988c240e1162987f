#include "search/search.hpp"

#include <algorithm>
#include <cmath>

#include "descent/descend.hpp"
#include "multilevel/multilevel.hpp"
#include "relaxed/relaxed.hpp"
#include "search/coarse_start.hpp"
#include "search/improve.hpp"
#include "search/plan.hpp"
#include "search/tuning.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

class Portfolio {
 public:
  Portfolio(const Problem& problem, const SearchOptions& options,
            const std::vector<ClusterId>& given, const Context& context)
      : problem_(problem),
        graph_(std::get_if<GraphProblem>(&problem)),
        options_(options),
        given_(given),
        plan_(plan_for(problem, options, !given.empty())),
        context_(context) {}

  Solution run() {
    make_starts();
    if (options_.max_seconds > 0) {
      continue_until_time_limit();
    } else if (plan_.perturb_sweeps > 0 && !context_.should_stop()) {
      perturb_best(plan_.perturb_sweeps);
    }
    return std::move(best_);
  }

 private:
  void make_starts() {
    if (graph_ == nullptr) {
      start_on_rows();
      return;
    }
    Solution before{best_.labels, best_.cost, {}};
    start_on_graph();
    solutions_.push_back(std::move(before));
    recombine_solutions();
  }

  // Two starts first: if they agree, more would most likely find the same.
  void start_on_graph() {
    const std::size_t wanted = (given_.empty() ? 0 : 1) + plan_.multilevel_starts;
    start_up_to(std::min<std::size_t>(2, wanted));
    if (wanted <= 2 || context_.should_stop()) {
      return;
    }
    const bool is_quick = plan_.recombines_fully && edges_of(*graph_) <= kQuickGraphEdges;
    const double difference = std::abs(solutions_[0].cost - solutions_[1].cost);
    if (!is_quick && difference <= kSameCost * std::abs(best_.cost)) {
      solutions_.resize(1);
    } else {
      start_up_to(wanted);
    }
  }

  void start_up_to(std::size_t end) {
    const std::size_t begin = solutions_.size();
    solutions_.resize(end);
    attempt(
        end - begin,
        [&](std::size_t r, const Context& own) {
          return start_multilevel(begin + r == 0 && !given_.empty(), own);
        },
        [&](std::size_t r, const Solution& found) {
          solutions_[begin + r] = {found.labels, found.cost, {}};
        });
  }

  Solution start_multilevel(bool from_given, const Context& own) {
    return multilevel_cycles(problem_, from_given ? given_ : std::vector<ClusterId>{},
                             {options_.clusters, plan_.least_gain}, plan_.cycles, own);
  }

  // Recombines pairs of solutions until one is left.
  void recombine_solutions() {
    std::erase_if(solutions_, [](const Solution& solution) { return solution.labels.empty(); });
    while (solutions_.size() > 1 && !context_.should_stop()) {
      std::vector<Solution> children(solutions_.size() / 2);
      attempt(
          children.size(),
          [&](std::size_t r, const Context& own) {
            return recombine(problem_, solutions_[2 * r], solutions_[2 * r + 1],
                             {options_.clusters, plan_.recombines_fully}, own);
          },
          [&](std::size_t r, const Solution& child) {
            children[r] = {child.labels, child.cost, {}};
          });
      if (solutions_.size() % 2 == 1) {
        children.push_back(std::move(solutions_.back()));
      }
      solutions_ = std::move(children);
    }
    solutions_.clear();
  }

  // Multilevel starts, starts from a sample and random starts, side by side. On few objects the
  // random starts come first, with the random numbers of Method::local_search: the portfolio then
  // never ends above it.
  void start_on_rows() {
    const auto start_at_random = [&](const Context& own) {
      return descend_from(random_labels(problem_, options_.clusters, own.rng), "local-search", own);
    };
    const bool is_small = size(problem_) <= kSampleAll;
    if (is_small) {
      attempt(plan_.random_starts,
              [&](std::size_t, const Context& own) { return start_at_random(own); });
    }
    std::vector<std::vector<ClusterId>> sampled = start_from_sample();
    const std::size_t given = given_.empty() || !has_levels(problem_) ? 0 : 1;
    const std::size_t multilevel = given + plan_.multilevel_starts;
    const std::size_t at_random = is_small ? 0 : plan_.random_starts;
    attempt(multilevel + sampled.size() + at_random, [&](std::size_t r, const Context& own) {
      if (r < multilevel) {
        return start_multilevel(r < given, own);
      }
      r -= multilevel;
      return r < sampled.size() ? descend_from(std::move(sampled[r]), "coarse-start", own)
                                : start_at_random(own);
    });
    if (context_.should_stop() && !sampled.empty() && !sampled.front().empty()) {
      attempt(1, [&](std::size_t, const Context& own) {  // better than what was cut short
        return descend_from(std::move(sampled.front()), "coarse-start", own);
      });
    }
  }

  std::vector<std::vector<ClusterId>> start_from_sample() {
    if (plan_.sample_starts == 0) {
      return {};
    }
    const std::uint64_t stream = stream_;
    stream_ += plan_.sample_starts + 1;
    return coarse_starts(problem_,
                         {options_.clusters, plan_.sample_starts, plan_.sample_trials,
                          plan_.sample_keep, options_.seed, stream},
                         context_);
  }

  Solution descend_from(std::vector<ClusterId> labels, const char* method, const Context& own) {
    Restart restart = descend(problem_, labels, options_.clusters, own);
    restart.method = method;
    const double cost = restart.cost;
    return {std::move(labels), cost, {std::move(restart)}};
  }

  void perturb_best(int sweeps) {
    const Solution from{best_.labels, best_.cost, {}};
    attempt(1, [&](std::size_t, const Context& own) {
      Solution found{from.labels, from.cost, {}};
      found.restarts.push_back(
          perturb(problem_, found.labels, from.cost, {options_.clusters, sweeps}, own));
      found.cost = found.restarts.back().cost;
      return found;
    });
  }

  // Cycles from the best, as long as they pay.
  void cycle_best() {
    attempt(1, [&](std::size_t, const Context& own) {
      return multilevel_cycles(problem_, best_.labels, {options_.clusters, kGainOfLastCycle},
                               kMostCycles, own);
    });
  }

  // On a graph with K free: cycles from the best, then new starts recombined with it, in turns,
  // until the time is up or much has brought nothing.
  void improve_graph_until_time_limit() {
    plan_.multilevel_starts = edges_of(*graph_) > kLargeGraphEdges ? 1 : kStartsPerRound;
    for (std::size_t failed = 0; failed < kPatience && !context_.should_stop(); ++failed) {
      const double before = best_.cost;
      cycle_best();
      if (!context_.should_stop()) {
        make_starts();
      }
      if (!context_.should_stop()) {
        perturb_best(1);
      }
      if (best_.cost < before) {
        failed = 0;
      }
    }
  }

  // Perturbs the best and makes new starts, until the time is up or much has brought nothing.
  void continue_until_time_limit() {
    plan_.least_gain = std::min(plan_.least_gain, kGainOfCycle);
    if (graph_ != nullptr && !options_.clusters && graph_->conflicts() == nullptr) {
      improve_graph_until_time_limit();
      return;
    }
    plan_.recombines_fully = true;
    plan_.cycles = has_few_clusters(options_) ? std::max(2, options_.restarts) : plan_.cycles;
    for (std::size_t failed = 0; failed < kPatience && !context_.should_stop(); ++failed) {
      const double before = best_.cost;
      perturb_best(std::max(1, options_.restarts));
      if (failed % kRoundsPerStart == kRoundsPerStart - 1 && !context_.should_stop()) {
        make_starts();
      }
      if (best_.cost < before) {
        failed = 0;
      }
    }
  }

  template <class Run>
  void attempt(std::size_t count, const Run& run) {
    attempt(count, run, [](std::size_t, const Solution&) {});
  }

  // Runs `count` attempts, each with its own stream of random numbers, and keeps the best; `take`
  // gets every solution, also those that a checkpoint holds.
  template <class Run, class Take>
  void attempt(std::size_t count, const Run& run, const Take& take) {
    if (count == 0) {
      return;
    }
    const auto run_or_load = [&](std::size_t r, const Context& own) {
      Solution found = kept(context_, stream_ + r, size(problem_), [&] { return run(r, own); });
      take(r, found);
      return found;
    };
    const int lanes = lanes_for(problem_, count, context_.team);
    keep_best(best_of(count, lanes, {options_.seed, stream_}, context_, run_or_load));
    stream_ += count;
  }

  void keep_best(Solution found) {
    const bool is_first = best_.restarts.empty();
    std::move(found.restarts.begin(), found.restarts.end(), std::back_inserter(best_.restarts));
    if (is_first || found.cost < best_.cost) {
      best_.cost = found.cost;
      best_.labels = std::move(found.labels);
    }
  }

  const Problem& problem_;
  const GraphProblem* graph_;  // null for rows and matrices
  const SearchOptions& options_;
  const std::vector<ClusterId>& given_;
  Plan plan_;
  Context context_;
  Solution best_;
  std::vector<Solution> solutions_;  // of multilevel starts, to be recombined
  std::uint64_t stream_ = 0;         // of random numbers: the next unused one
};

// Restarts of a search from random labels.
template <class Descent>
Solution from_random_labels(const Problem& problem, const SearchOptions& options,
                            const Context& context, const Descent& descent) {
  const auto one_restart = [&](std::size_t r, const Context& own) {
    return kept(context, r, size(problem), [&] {
      Solution found;
      found.labels = random_labels(problem, options.clusters, own.rng);
      found.restarts.push_back(descent(problem, found.labels, options.clusters, own));
      found.cost = found.restarts.back().cost;
      return found;
    });
  };
  const auto restarts = static_cast<std::size_t>(options.restarts);
  return best_of(restarts, lanes_for(problem, restarts, context.team), {options.seed, 0}, context,
                 one_restart);
}

// With K free, splits disconnected clusters of a graph where that lowers the cost, and descends
// from there. Usually there are none.
Solution connected(const Problem& problem, const SearchOptions& options, const Context& context,
                   Solution found) {
  const auto* graph = std::get_if<GraphProblem>(&problem);
  if (graph == nullptr || options.clusters) {
    return found;
  }
  Rng rng(options.seed, ~std::uint64_t{0});
  Clock::time_point start = Clock::now();
  std::vector<ClusterId> before = found.labels;
  while (split_disconnected(*graph, found.labels, context.team)) {
    compact_labels(found.labels);
    Restart restart = settle(problem, found.labels, before, context.with(rng));
    before = found.labels;
    restart.seconds = seconds_since(start);
    start = Clock::now();
    found.cost = restart.cost;
    found.restarts.push_back(std::move(restart));
  }
  return found;
}

}  // namespace

Solution portfolio(const Problem& problem, const SearchOptions& options,
                   const std::vector<ClusterId>& start, const Context& context) {
  return Portfolio(problem, options, start, context).run();
}

Solution search(const Problem& problem, const SearchOptions& options,
                const std::vector<ClusterId>& start, const Context& context) {
  switch (options.method) {
    case Method::local_search:
      return from_random_labels(problem, options, context,
                                [](auto&&... arguments) { return descend(arguments...); });
    case Method::multilevel:
      return connected(problem, options, context, multilevel(problem, options, context));
    case Method::annealing:
      return from_random_labels(problem, options, context,
                                [](auto&&... arguments) { return anneal(arguments...); });
    case Method::frank_wolfe:
      return from_random_labels(problem, options, context,
                                [](auto&&... arguments) { return frank_wolfe(arguments...); });
    case Method::automatic:
      break;
  }
  return connected(problem, options, context, portfolio(problem, options, start, context));
}

}  // namespace shiftcut

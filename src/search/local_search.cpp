#include "search/local_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/rng.hpp"
#include "search/dense_state.hpp"
#include "search/gram_state.hpp"
#include "search/graph_state.hpp"
#include "search/sparse_gram_state.hpp"

namespace shiftcut {

namespace {

constexpr int kLookEvery = 200;  // sweeps

using AfterSweep = std::function<void(const Restart&, std::size_t moves)>;

// One descent: sweeps in fresh random order until one makes no move.
class Descent {
 public:
  Descent(std::vector<ClusterId>& labels, std::optional<std::size_t> clusters, Rng& rng,
          ThreadTeam& team, StopCheck& stop, const AfterSweep& after_sweep)
      : labels_(labels),
        clusters_(clusters),
        rng_(rng),
        team_(team),
        stop_(stop),
        after_sweep_(after_sweep),
        order_(labels.size()) {
    restart_.method = "local-search";
    restart_.cost = std::numeric_limits<double>::quiet_NaN();  // not known yet
  }

  // The cluster vectors are summed anew from the data when nothing moves any more, and the sweeps
  // go on from there: that ends the roundings of many moves, and of rows kept in float32.
  void operator()(const GramProblem& problem) {
    GramState state(problem, labels_, clusters_, problem.first_truth(), team_);
    const auto cost_now = [&] { return state.cost(); };
    sweep_until_still(state, cost_now);
    if (!stop_.should_stop()) {
      state.settle();
      settle_until_still(state, cost_now);
    }
    labels_.assign(state.labels().begin(), state.labels().end());
    restart_.cost = stop_.should_stop() ? problem.cost(labels_, team_) : state.cost();
  }
  void operator()(const SparseGramProblem& problem) {
    run(SparseGramState(problem, labels_, clusters_), problem);
  }
  void operator()(const DenseProblem& problem) {
    run(DenseState(problem, labels_, clusters_, team_), problem);
  }
  void operator()(const GraphProblem& problem) {
    run(GraphState(problem, labels_, clusters_), problem);
  }

  [[nodiscard]] const Restart& restart() const { return restart_; }

 private:
  template <class State, class View>
  void run(State state, const View& problem) {
    sweep_until_still(state, [&] { return problem.cost(state.labels(), team_); });
    labels_ = state.labels();
    restart_.cost = problem.cost(labels_, team_);
  }

  template <class State>
  std::size_t sweep(State& state) {
    order_.shuffle(rng_);
    return state.sweep(order_, stop_);
  }

  // The cost is for people who watch: it takes a pass over the data, so not more than once a
  // second.
  template <class CostNow>
  void count(std::size_t moves, const CostNow& cost_now) {
    restart_.sweeps += 1;
    restart_.moves += moves;
    if (after_sweep_) {
      if (seconds_since(last_cost_) > 1) {
        restart_.cost = cost_now();
        last_cost_ = Clock::now();
      }
      after_sweep_(restart_, moves);
    }
  }

  // Every move lowers the cost, so this ends. But a matrix that is symmetric only to its last
  // digits may send two objects round in circles: after many sweeps, look whether the cost still
  // falls.
  template <class State, class CostNow>
  void sweep_until_still(State& state, const CostNow& cost_now) {
    double last_cost = std::numeric_limits<double>::infinity();
    std::size_t moves = 0;
    do {
      moves = sweep(state);
      count(moves, cost_now);
      if (restart_.sweeps % kLookEvery == 0) {
        const double cost = cost_now();
        moves = cost < last_cost ? moves : 0;
        last_cost = cost;
      }
    } while (moves > 0 && !stop_.should_stop());
  }

  // A sweep that only confirms is not counted as one.
  template <class State, class CostNow>
  void settle_until_still(State& state, const CostNow& cost_now) {
    while (const std::size_t moves = sweep(state)) {
      count(moves, cost_now);
      if (stop_.should_stop()) {
        break;
      }
    }
  }

  std::vector<ClusterId>& labels_;
  std::optional<std::size_t> clusters_;
  Rng& rng_;
  ThreadTeam& team_;
  StopCheck& stop_;
  const AfterSweep& after_sweep_;
  SweepOrder order_;
  Restart restart_;
  Clock::time_point last_cost_ = Clock::now();
};

// Random labels. With K free: on a graph every object by itself, else a few random clusters, other
// ones being opened where they are needed.
std::vector<ClusterId> random_labels(const Problem& problem, std::optional<std::size_t> clusters,
                                     Rng& rng) {
  const auto n = static_cast<std::uint32_t>(size(problem));
  std::vector<ClusterId> labels(n);
  if (!clusters && std::holds_alternative<GraphProblem>(problem)) {
    for (ObjectId i = 0; i < n; ++i) {
      labels[i] = i;
    }
    return labels;
  }
  const std::uint32_t few = std::min(n, 2 + rng.below(19));
  const std::uint32_t count = clusters ? static_cast<std::uint32_t>(*clusters) : few;
  for (ClusterId& label : labels) {
    label = rng.below(count);
  }
  return labels;
}

// How many restarts run side by side: as many as threads, unless what each keeps per object is not
// small beside the data.
int lanes_for(const Problem& problem, const SearchOptions& options, int threads) {
  int lanes = std::min(options.restarts, threads);
  if (const auto* gram = std::get_if<GramProblem>(&problem)) {
    const std::size_t affordable = std::max<std::size_t>(1, gram->length() / 16);
    const bool small = gram->size() * gram->length() < (std::size_t{1} << 22);
    lanes =
        small ? lanes : std::min(lanes, static_cast<int>(std::min<std::size_t>(affordable, 64)));
  }
  return std::max(1, lanes);
}

// Tells the caller how far the search is; called from several restarts at once.
class SearchProgress {
 public:
  SearchProgress(const Control& control, int restarts) : control_(control), restarts_(restarts) {}

  [[nodiscard]] bool watched() const { return static_cast<bool>(control_.progress); }

  void restart_ended(double cost) {
    const std::scoped_lock lock(mutex_);
    best_ = std::min(best_, cost);
    ++ended_;
  }

  void after_sweep(int restart, const Restart& state, std::size_t moves) {
    const std::scoped_lock lock(mutex_);
    Progress progress;
    progress.phase = "search";
    progress.restart = restart + 1;
    progress.restarts = restarts_;
    progress.sweep = state.sweeps;
    progress.moves = moves;
    progress.cost = state.cost < best_ ? state.cost : best_;
    progress.has_cost = std::isfinite(progress.cost);
    progress.seconds = seconds_since(start_);
    progress.seconds_left = ended_ > 0 ? progress.seconds / ended_ * (restarts_ - ended_) : -1;
    control_.progress(progress);
  }

 private:
  const Control& control_;
  int restarts_;
  int ended_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
};

}  // namespace

Restart descend(const Problem& problem, std::vector<ClusterId>& labels,
                std::optional<std::size_t> clusters, Rng& rng, ThreadTeam& team, StopCheck& stop,
                const AfterSweep& after_sweep) {
  Descent descent(labels, clusters, rng, team, stop, after_sweep);
  std::visit(descent, problem);
  return descent.restart();
}

Found local_search(const Problem& problem, const SearchOptions& options, ThreadTeam& team,
                   const Control& control, StopCheck& stop) {
  const int lanes = lanes_for(problem, options, team.threads());
  const auto restarts = static_cast<std::size_t>(options.restarts);
  std::vector<std::pair<std::size_t, Restart>> ran;
  SearchProgress progress(control, options.restarts);
  std::mutex mutex;
  Found found;
  std::size_t winner = restarts;

  const auto run_restart = [&](std::size_t r, ThreadTeam& own_team) {
    if (r > 0 && stop.should_stop()) {
      return;
    }
    const Clock::time_point start = Clock::now();
    Rng rng(options.seed, r);
    std::vector<ClusterId> labels = random_labels(problem, options.clusters, rng);
    AfterSweep after_sweep;
    if (progress.watched()) {
      after_sweep = [&](const Restart& state, std::size_t moves) {
        progress.after_sweep(static_cast<int>(r), state, moves);
      };
    }
    Restart restart = descend(problem, labels, options.clusters, rng, own_team, stop, after_sweep);
    restart.seconds = seconds_since(start);
    progress.restart_ended(restart.cost);

    const std::scoped_lock lock(mutex);
    const bool better = winner == restarts || restart.cost < found.cost ||
                        (restart.cost == found.cost && r < winner);
    if (better) {
      winner = r;
      found.cost = restart.cost;
      found.labels = std::move(labels);
    }
    ran.emplace_back(r, std::move(restart));
  };

  if (lanes == 1) {
    for (std::size_t r = 0; r < restarts && !(r > 0 && stop.should_stop()); ++r) {
      run_restart(r, team);
    }
  } else {
    ThreadTeam outer(lanes);
    std::vector<std::unique_ptr<ThreadTeam>> inner;
    for (int lane = 0; lane < lanes; ++lane) {
      inner.push_back(std::make_unique<ThreadTeam>(std::max(1, team.threads() / lanes)));
    }
    outer.for_each(restarts, [&](std::size_t r, int lane) {
      run_restart(r, *inner[static_cast<std::size_t>(lane)]);
    });
  }

  std::sort(ran.begin(), ran.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [r, restart] : ran) {
    found.restarts.push_back(std::move(restart));
  }
  return found;
}

}  // namespace shiftcut

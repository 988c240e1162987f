// A descent ends because every move lowers the cost by more than the tolerance. Two guards catch
// input for which that fails: a matrix symmetric only up to its last digits may send two objects in
// circles, and an overflowed cost is not a number.
#include "descent/descend.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "descent/dense_state.hpp"
#include "descent/features/gram_state.hpp"
#include "descent/graph_state.hpp"
#include "descent/sequential_state.hpp"
#include "descent/tuning.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

using namespace descent_tuning;

class Descent {
 public:
  Descent(std::vector<ClusterId>& labels, std::optional<std::size_t> clusters,
          const Context& context)
      : labels_(labels), clusters_(clusters), context_(context), order_(labels.size()) {
    restart_.method = word_of(Method::local_search);
    restart_.cost = std::numeric_limits<double>::quiet_NaN();  // not known yet
  }

  // When nothing moves any more, the clusters' vectors are recomputed from the exact rows and the
  // sweeps continue: this removes the rounding errors of many moves and of float32 rows.
  void operator()(const GramProblem& problem) {
    GramState state(problem, labels_, clusters_, problem.first_truth(), context_.team);
    const auto cost_now = [&] { return state.cost(); };
    sweep_until_converged(state, cost_now);
    if (!context_.should_stop()) {
      state.recompute_exactly();
      confirm(state, cost_now);
    }
    labels_.assign(state.labels().begin(), state.labels().end());
    restart_.cost = context_.should_stop() ? problem.cost(labels_, context_.team) : state.cost();
  }
  void operator()(const SparseGramProblem& problem) {
    run(SequentialState(problem, labels_, clusters_), problem);
  }
  void operator()(const DenseProblem& problem) {
    run(DenseState(problem, labels_, clusters_, context_.team), problem);
  }
  void operator()(const GraphProblem& problem) {
    run(GraphState(problem, labels_, clusters_), problem);
  }

  [[nodiscard]] const Restart& restart() const { return restart_; }

 private:
  template <class State, class View>
  void run(State state, const View& problem) {
    sweep_until_converged(state, [&] { return problem.cost(state.labels(), context_.team); });
    labels_ = state.labels();
    restart_.cost = problem.cost(labels_, context_.team);
  }

  template <class State>
  std::size_t sweep(State& state) {
    order_.shuffle(context_.rng);
    return state.sweep(order_, context_.stop);
  }

  template <class CostNow>
  void count(std::size_t moves, const CostNow& cost_now) {
    restart_.sweeps += 1;
    restart_.moves += moves;
    if (context_.after_sweep) {
      if (seconds_since(last_cost_) > kCostReportSeconds) {
        restart_.cost = cost_now();
        last_cost_ = Clock::now();
      }
      context_.after_sweep(restart_, moves);
    }
  }

  template <class State, class CostNow>
  void sweep_until_converged(State& state, const CostNow& cost_now) {
    do {
      const std::size_t moves = sweep(state);
      count(moves, cost_now);
      if (moves == 0) {
        return;
      }
    } while (still_decreases(cost_now) && !context_.should_stop());
  }

  // Sweeps again after recompute_exactly(). A sweep without moves only confirms the optimum and is
  // not counted.
  template <class State, class CostNow>
  void confirm(State& state, const CostNow& cost_now) {
    checked_cost_ = std::numeric_limits<double>::infinity();
    while (const std::size_t moves = sweep(state)) {
      count(moves, cost_now);
      if (!still_decreases(cost_now) || context_.should_stop()) {
        break;
      }
    }
  }

  // True if it is not time for a check. False for a cost that is not finite.
  template <class CostNow>
  bool still_decreases(const CostNow& cost_now) {
    const auto sweeps = static_cast<unsigned>(restart_.sweeps);
    if (sweeps % kCheckCostEvery == 0) {
      const double cost = cost_now();
      return cost < std::exchange(checked_cost_, cost);
    }
    return sweeps < kFirstFiniteCheck || !std::has_single_bit(sweeps) || std::isfinite(cost_now());
  }

  std::vector<ClusterId>& labels_;
  std::optional<std::size_t> clusters_;
  Context context_;
  SweepOrder order_;
  Restart restart_;
  Clock::time_point last_cost_ = Clock::now();
  double checked_cost_ = std::numeric_limits<double>::infinity();  // at the last check
};

}  // namespace

Restart descend(const Problem& problem, std::vector<ClusterId>& labels,
                std::optional<std::size_t> clusters, const Context& context) {
  if (const Conflicts* conflicts = shiftcut::conflicts(problem); conflicts != nullptr) {
    conflicts->repair(labels, clusters);
  }
  Descent descent(labels, clusters, context);
  std::visit(descent, problem);
  return descent.restart();
}

Restart finish_by_descent(const Restart& before, const Problem& problem,
                          std::vector<ClusterId>& labels, std::optional<std::size_t> clusters,
                          const Context& context) {
  const auto with_before = [&](const Restart& descent) {
    Restart both = before;
    both.cost = descent.cost;
    both.sweeps += descent.sweeps;
    both.moves += descent.moves;
    return both;
  };
  AfterSweep forward;
  if (context.after_sweep) {
    forward = [&](const Restart& descent, std::size_t moves) {
      context.after_sweep(with_before(descent), moves);
    };
  }
  return with_before(descend(problem, labels, clusters, context.with(std::move(forward))));
}

}  // namespace shiftcut

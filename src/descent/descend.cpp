#include "descent/descend.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "descent/dense_state.hpp"
#include "descent/gram_state.hpp"
#include "descent/graph_state.hpp"
#include "descent/sparse_gram_state.hpp"

namespace shiftcut {

namespace {

constexpr int kLookEvery = 200;  // sweeps: whether the cost still falls
constexpr int kFirstLook = 8;    // and its doubles: whether it is a number at all

// One descent: sweeps in fresh random order until one makes no move.
class Descent {
 public:
  Descent(std::vector<ClusterId>& labels, std::optional<std::size_t> clusters,
          const Context& context)
      : labels_(labels), clusters_(clusters), context_(context), order_(labels.size()) {
    restart_.method = "local-search";
    restart_.cost = std::numeric_limits<double>::quiet_NaN();  // not known yet
  }

  // The cluster vectors are summed anew from the data when nothing moves any more, and the sweeps
  // go on from there: that ends the roundings of many moves, and of rows kept in float32.
  void operator()(const GramProblem& problem) {
    GramState state(problem, labels_, clusters_, problem.first_truth(), context_.team);
    const auto cost_now = [&] { return state.cost(); };
    sweep_until_still(state, cost_now);
    if (!context_.should_stop()) {
      state.settle();
      settle_until_still(state, cost_now);
    }
    labels_.assign(state.labels().begin(), state.labels().end());
    restart_.cost = context_.should_stop() ? problem.cost(labels_, context_.team) : state.cost();
  }
  void operator()(const SparseGramProblem& problem) {
    run(SparseGramState(problem, labels_, clusters_), problem);
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
    sweep_until_still(state, [&] { return problem.cost(state.labels(), context_.team); });
    labels_ = state.labels();
    restart_.cost = problem.cost(labels_, context_.team);
  }

  template <class State>
  std::size_t sweep(State& state) {
    order_.shuffle(context_.rng);
    return state.sweep(order_, context_.stop);
  }

  // The cost is for people who watch: it takes a pass over the data, so not more than once a
  // second.
  template <class CostNow>
  void count(std::size_t moves, const CostNow& cost_now) {
    restart_.sweeps += 1;
    restart_.moves += moves;
    if (context_.after_sweep) {
      if (seconds_since(last_cost_) > 1) {
        restart_.cost = cost_now();
        last_cost_ = Clock::now();
      }
      context_.after_sweep(restart_, moves);
    }
  }

  // Every move lowers the cost, so this ends. But a matrix that is symmetric only to its last
  // digits may send two objects round in circles, as may numbers that somebody changes meanwhile:
  // after many sweeps, look whether the cost still falls.
  template <class State, class CostNow>
  void sweep_until_still(State& state, const CostNow& cost_now) {
    do {
      const std::size_t moves = sweep(state);
      count(moves, cost_now);
      if (moves == 0) {
        return;
      }
    } while (still_falls(cost_now) && !context_.should_stop());
  }

  // A sweep that only confirms is not counted as one.
  template <class State, class CostNow>
  void settle_until_still(State& state, const CostNow& cost_now) {
    looked_at_ = std::numeric_limits<double>::infinity();
    while (const std::size_t moves = sweep(state)) {
      count(moves, cost_now);
      if (!still_falls(cost_now) || context_.should_stop()) {
        break;
      }
    }
  }

  // Taken to be so where it is not time to look. False for a cost that is no number.
  template <class CostNow>
  bool still_falls(const CostNow& cost_now) {
    const auto sweeps = static_cast<unsigned>(restart_.sweeps);
    if (sweeps % kLookEvery == 0) {
      const double cost = cost_now();
      return cost < std::exchange(looked_at_, cost);
    }
    return sweeps < kFirstLook || !std::has_single_bit(sweeps) || std::isfinite(cost_now());
  }

  std::vector<ClusterId>& labels_;
  std::optional<std::size_t> clusters_;
  Context context_;
  SweepOrder order_;
  Restart restart_;
  Clock::time_point last_cost_ = Clock::now();
  double looked_at_ = std::numeric_limits<double>::infinity();  // the cost, when last looked at
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

}  // namespace shiftcut

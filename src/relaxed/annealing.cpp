// Simulated annealing with heat bath dynamics: an object goes to cluster k with probability
//   p(k) ~ exp(2 a(o,k) / tau),
// the conditional Boltzmann distribution, since a move changes the cost by 2 (a(o,from) - a(o,to)).
// The temperature starts at the median |change of cost| of random moves and falls geometrically.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/kernels/elementary.hpp"
#include "descent/descend.hpp"
#include "descent/sweep_order.hpp"
#include "relaxed/relaxed.hpp"
#include "relaxed/soft_assignment.hpp"
#include "relaxed/tuning.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

using namespace relaxed_tuning;

template <class View>
class Cooling {
 public:
  Cooling(const View& problem, const std::vector<ClusterId>& labels,
          std::optional<std::size_t> clusters, Rng& rng)
      : state_(problem, {labels, {}}, clusters),
        free_(!clusters),
        near_(std::is_same_v<View, GraphProblem> && (free_ || *clusters > kAllTriedAtMost)),
        negligible_(2 * state_.unit() * problem.tolerance()),
        rng_(rng) {}

  // The median |change of cost| of random moves; 0 if most change nothing.
  double typical_change() {
    std::vector<double> changes;
    const auto n = static_cast<std::uint32_t>(state_.labels().size());
    for (int i = 0; i < kProposals; ++i) {
      evaluate(rng_.below(n));
      changes.push_back(std::abs(change(random_other())));
    }
    const auto middle = changes.begin() + kProposals / 2;
    std::nth_element(changes.begin(), middle, changes.end());
    return *middle > negligible_ ? *middle : 0.0;
  }

  std::size_t sweep(const SweepOrder& order, double tau, StopCheck& stop) {
    std::size_t moves = 0;
    for_each_in_order(order, stop, [&](ObjectId object) {
      evaluate(object);
      const std::size_t to = heat_bath(tau);
      if (to != state_.own()) {
        cost_ += change(to);
        state_.move(object, state_.candidates()[to]);
        ++moves;
      }
    });
    return moves;
  }

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return state_.labels(); }
  // The cost of the current labels less that of the first.
  [[nodiscard]] double cost() const { return cost_; }

 private:
  void evaluate(ObjectId object) {
    if constexpr (std::is_same_v<View, GraphProblem>) {
      if (near_) {
        state_.evaluate_near(object, rng_);
        count_ = state_.candidates().size();
        return;
      }
    }
    state_.evaluate(object);
    // An empty cluster is the last candidate.
    const bool opens = state_.vacant().value_or(state_.own()) != state_.own();
    const bool is_full = free_ && opens && state_.present() >= kOpenAtMost;
    count_ = state_.candidates().size() - (is_full ? 1 : 0);
  }

  [[nodiscard]] double change(std::size_t to) const {
    const auto& a = state_.affinities();
    return 2 * state_.unit() * (a[state_.own()] - a[to]);
  }

  // A random candidate other than the object's own cluster, unless it is the only one.
  std::size_t random_other() {
    if (count_ == 1) {
      return state_.own();
    }
    const std::size_t drawn = rng_.below(static_cast<std::uint32_t>(count_ - 1));
    return drawn + (drawn >= state_.own() ? 1 : 0);
  }

  std::size_t heat_bath(double tau) {
    const auto& a = state_.affinities();
    weights_.assign(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(count_));
    heat_bath_weights(weights_, tau / state_.unit());
    if (const auto vacant = state_.vacant(); vacant && *vacant < count_) {
      weights_[*vacant] *= state_.vacant_copies();
    }
    double all = 0;
    for (const double weight : weights_) {
      all += weight;
    }
    double left = rng_.uniform() * all;
    for (std::size_t c = 0; c < count_; ++c) {
      left -= weights_[c];
      if (left < 0) {
        return c;
      }
    }
    return state_.own();  // only by rounding
  }

  SoftAssignment<View> state_;
  bool free_;
  bool near_;          // only the clusters of neighbours are candidates
  double negligible_;  // a change of cost that may be rounding
  Rng& rng_;
  double cost_ = 0;
  std::size_t count_ = 0;  // the object may go to the first `count_` candidates
  std::vector<double> weights_;
};

// Leaves the best labels seen, and counts sweeps and moves in `restart`.
template <class View>
void cool(const View& problem, std::vector<ClusterId>& labels, std::optional<std::size_t> clusters,
          const Context& context, Restart& restart) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const double start = context.after_sweep ? problem.cost(labels, context.team) : unknown;
  Cooling<View> cooling(problem, labels, clusters, context.rng);
  SweepOrder order(labels.size());
  double tau = cooling.typical_change();
  double best = 0;
  std::size_t moves = tau > 0 ? 1 : 0;
  for (int sweep = 0; sweep < kSweeps && moves > 0 && !context.should_stop(); ++sweep) {
    order.shuffle(context.rng);
    moves = cooling.sweep(order, tau, context.stop);
    // From random labels, moves over features change little: the first temperature would be so low
    // that the first sweep is already a quench. So it is measured again.
    tau = sweep == 0 ? std::max(tau, cooling.typical_change()) : tau * kCooling;
    if (cooling.cost() < best) {
      best = cooling.cost();
      labels = cooling.labels();
    }
    restart.sweeps += 1;
    restart.moves += moves;
    if (context.after_sweep) {
      restart.cost = start + cooling.cost();
      context.after_sweep(restart, moves);
    }
  }
}

}  // namespace

void heat_bath_weights(std::span<double> affinities, double tau) {
  const double largest = *std::max_element(affinities.begin(), affinities.end());
  for (double& a : affinities) {
    const double exponent = 2 * (a - largest) / tau;
    a = exponent > kNegligibleExponent ? portable_exp(exponent) : 0.0;
  }
}

Restart anneal(const Problem& problem, std::vector<ClusterId>& labels,
               std::optional<std::size_t> clusters, const Context& context) {
  Restart restart;
  restart.method = word_of(Method::annealing);
  std::visit([&](const auto& view) { cool(view, labels, clusters, context, restart); }, problem);
  return finish_by_descent(restart, problem, labels, clusters, context);
}

}  // namespace shiftcut

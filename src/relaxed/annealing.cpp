#include "relaxed/annealing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/kernels/elementary.hpp"
#include "descent/descend_after.hpp"
#include "descent/sweep_order.hpp"
#include "descent/visit_in_order.hpp"
#include "relaxed/soft_assignment.hpp"

namespace shiftcut {

namespace {

constexpr int kSweeps = 200;
constexpr double kCooling = 0.95;            // a sweep
constexpr int kProposals = 1000;             // that the first temperature is the median of
constexpr std::size_t kAllTriedAtMost = 64;  // given clusters that are all looked at on a graph
// With K free a hot sweep would open a cluster for nearly every object; where all are looked at, no
// more are opened than this.
constexpr std::size_t kOpenAtMost = 64;

template <class View>
class Cooling {
 public:
  Cooling(const View& problem, const std::vector<ClusterId>& labels,
          std::optional<std::size_t> clusters, Dynamics dynamics, Rng& rng)
      : state_(problem, {labels, {}}, clusters),
        free_(!clusters),
        near_(std::is_same_v<View, GraphProblem> && (free_ || *clusters > kAllTriedAtMost)),
        dynamics_(dynamics),
        least_(2 * state_.unit() * problem.tolerance()),
        rng_(rng) {}

  // The median |dR| of random moves; 0 where most change nothing.
  double typical_change() {
    std::vector<double> changes;
    const auto n = static_cast<std::uint32_t>(state_.labels().size());
    for (int i = 0; i < kProposals; ++i) {
      look(rng_.below(n));
      changes.push_back(std::abs(change(another())));
    }
    const auto middle = changes.begin() + kProposals / 2;
    std::nth_element(changes.begin(), middle, changes.end());
    return *middle > least_ ? *middle : 0.0;
  }

  std::size_t sweep(const SweepOrder& order, double tau, StopCheck& stop) {
    std::size_t moves = 0;
    visit_in_order(order, stop, [&](ObjectId object) {
      look(object);
      const std::size_t to = dynamics_ == Dynamics::heat_bath ? heat_bath(tau) : metropolis(tau);
      if (to != state_.own()) {
        cost_ += change(to);
        state_.move(object, state_.candidates()[to]);
        ++moves;
      }
    });
    return moves;
  }

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return state_.labels(); }
  // Of the labels now, less that of the first.
  [[nodiscard]] double cost() const { return cost_; }

 private:
  void look(ObjectId object) {
    if constexpr (std::is_same_v<View, GraphProblem>) {
      if (near_) {
        state_.look_near(object, rng_);
        count_ = state_.candidates().size();
        return;
      }
    }
    state_.look(object);
    // An empty cluster is the last candidate.
    const bool opens = state_.vacant().value_or(state_.own()) != state_.own();
    const bool full = free_ && opens && state_.present() >= kOpenAtMost;
    count_ = state_.candidates().size() - (full ? 1 : 0);
  }

  [[nodiscard]] double change(std::size_t to) const {
    const auto& a = state_.affinities();
    return 2 * state_.unit() * (a[state_.own()] - a[to]);
  }

  // A candidate other than the object's own cluster; that where there is no other.
  std::size_t another() {
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

  std::size_t metropolis(double tau) {
    const std::size_t to = another();
    return rng_.uniform() < portable_exp(-change(to) / tau) ? to : state_.own();
  }

  ShareState<View> state_;
  bool free_;
  bool near_;
  Dynamics dynamics_;
  double least_;  // change of cost that is more than rounding
  Rng& rng_;
  double cost_ = 0;
  std::size_t count_ = 0;  // candidates open to the object looked at: the first so many
  std::vector<double> weights_;
};

// Leaves the best labels seen, and in `restart` what was done.
template <class View>
void cool(const View& problem, std::vector<ClusterId>& labels, std::optional<std::size_t> clusters,
          const Context& context, Dynamics dynamics, Restart& restart) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const double start = context.after_sweep ? problem.cost(labels, context.team) : unknown;
  Cooling<View> cooling(problem, labels, clusters, dynamics, context.rng);
  SweepOrder order(labels.size());
  double tau = cooling.typical_change();
  double best = 0;
  std::size_t moves = tau > 0 ? 1 : 0;
  for (int sweep = 0; sweep < kSweeps && moves > 0 && !context.should_stop(); ++sweep) {
    order.shuffle(context.rng);
    moves = cooling.sweep(order, tau, context.stop);
    // Random labels may hide what order is worth: over features moves then change little, and the
    // first sweep would already be a quench.
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
  constexpr double kNothing = -50;  // exp of it is lost beside 1
  const double largest = *std::max_element(affinities.begin(), affinities.end());
  for (double& a : affinities) {
    const double exponent = 2 * (a - largest) / tau;
    a = exponent > kNothing ? portable_exp(exponent) : 0.0;
  }
}

Restart anneal(const Problem& problem, std::vector<ClusterId>& labels,
               std::optional<std::size_t> clusters, const Context& context, Dynamics dynamics) {
  Restart restart;
  restart.method = "annealing";
  std::visit([&](const auto& view) { cool(view, labels, clusters, context, dynamics, restart); },
             problem);
  return descend_after(restart, problem, labels, clusters, context);
}

}  // namespace shiftcut

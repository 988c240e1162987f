// Frank-Wolfe, one block (object) at a time: with g = (S x)_o, its own term left out, and s the
// best vertex, x_o moves towards s. f is linear in x_o, so the exact line search goes all the way
// if g.(s - x_o) > 0 and otherwise stays; f grows by 2 g.(s - x_o). From vertices, these are the
// moves of the local search.
#include <algorithm>
#include <cmath>
#include <limits>

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
class Relaxation {
 public:
  Relaxation(const View& problem, const std::vector<ClusterId>& labels, std::size_t clusters)
      : state_(problem, {labels, std::vector<float>(labels.size(), kStartWeight)}, clusters),
        clusters_(static_cast<double>(clusters)),
        tolerance_(problem.tolerance()),
        interior_(clusters > 1 ? labels.size() : 0) {}

  // Returns how many objects moved.
  std::size_t sweep(const SweepOrder& order, StopCheck& stop) {
    std::size_t moves = 0;
    for_each_in_order(order, stop, [&](ObjectId object) {
      if (step(object)) {
        ++moves;
      }
    });
    return moves;
  }

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return state_.labels(); }
  // Objects that are not at a vertex yet.
  [[nodiscard]] std::size_t interior() const { return interior_; }

 private:
  bool step(ObjectId object) {
    state_.evaluate(object);
    const auto& g = state_.affinities();
    const double weight = state_.weight(object);
    double best = g[0];
    double sum = 0;  // over all clusters: g = 0 for those that are no candidates
    for (const double value : g) {
      best = std::max(best, value);
      sum += value;
    }
    const double own = g[state_.own()];
    const double here = weight < 1 ? weight * own + (1 - weight) * sum / clusters_ : own;
    if (best - here <= tolerance_) {
      return false;
    }
    ClusterId to = kNoCluster;
    for (std::size_t c = 0; c < g.size(); ++c) {
      const ClusterId k = state_.candidates()[c];
      if (g[c] >= best - tolerance_ && g[c] - here > tolerance_ && k < to) {
        to = k;
      }
    }
    interior_ -= weight < 1 ? 1 : 0;
    state_.move(object, to);
    return true;
  }

  SoftAssignment<View> state_;
  double clusters_;
  double tolerance_;
  std::size_t interior_;
};

std::size_t clusters_of_relaxation(std::size_t n, std::optional<std::size_t> clusters) {
  const auto root = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
  return clusters.value_or(std::min(n, std::clamp<std::size_t>(root, 2, kMaxFreeClusters)));
}

// Sweeps until all objects are at vertices or none moves. Leaves the labels, and counts sweeps and
// moves in `restart`.
template <class View>
void relax(const View& problem, std::vector<ClusterId>& labels, std::size_t clusters,
           const Context& context, Restart& restart) {
  Relaxation<View> relaxation(problem, labels, clusters);
  SweepOrder order(labels.size());
  bool converged = false;
  while (!converged && !context.should_stop()) {
    order.shuffle(context.rng);
    const std::size_t moves = relaxation.sweep(order, context.stop);
    restart.sweeps += 1;
    restart.moves += moves;
    if (context.after_sweep) {
      context.after_sweep(restart, moves);
    }
    converged = moves == 0 || relaxation.interior() == 0;
  }
  labels = relaxation.labels();
}

}  // namespace

Restart frank_wolfe(const Problem& problem, std::vector<ClusterId>& labels,
                    std::optional<std::size_t> clusters, const Context& context) {
  const std::size_t n = size(problem);
  const std::size_t relaxed = clusters_of_relaxation(n, clusters);
  labels.resize(n);
  for (ClusterId& label : labels) {
    label = context.rng.below(static_cast<std::uint32_t>(relaxed));
  }
  Restart restart;
  restart.method = word_of(Method::frank_wolfe);
  restart.cost = std::numeric_limits<double>::quiet_NaN();  // not known yet
  std::visit([&](const auto& view) { relax(view, labels, relaxed, context, restart); }, problem);
  return finish_by_descent(restart, problem, labels, clusters, context);
}

}  // namespace shiftcut

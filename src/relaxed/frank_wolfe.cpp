#include "relaxed/frank_wolfe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "descent/descend_after.hpp"
#include "descent/sweep_order.hpp"
#include "descent/visit_in_order.hpp"
#include "relaxed/soft_assignment.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kFreeAtMost = 64;  // clusters of the relaxation where K is free

template <class View>
class Relaxing {
 public:
  Relaxing(const View& problem, const std::vector<ClusterId>& labels, std::size_t clusters,
           float share)
      : state_(problem, {labels, std::vector<float>(labels.size(), share)}, clusters),
        clusters_(static_cast<double>(clusters)),
        tolerance_(problem.tolerance()),
        interior_(share < 1 && clusters > 1 ? labels.size() : 0) {}

  // Returns how many rows changed.
  std::size_t sweep(const SweepOrder& order, StopCheck& stop) {
    std::size_t changed = 0;
    gap_ = 0;
    gain_ = 0;
    visit_in_order(order, stop, [&](ObjectId object) {
      if (step(object)) {
        ++changed;
      }
    });
    return changed;
  }

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return state_.labels(); }
  // Of the last sweep: sum of max(0, g.(s - x)), and what f grew by.
  [[nodiscard]] double gap() const { return state_.unit() * gap_; }
  [[nodiscard]] double gain() const { return 2 * state_.unit() * gain_; }
  [[nodiscard]] std::size_t interior() const { return interior_; }

 private:
  bool step(ObjectId object) {
    state_.look(object);
    const auto& g = state_.affinities();
    const double share = state_.share(object);
    double best = g[0];
    double sum = 0;  // clusters that no object is near have g = 0
    for (const double value : g) {
      best = std::max(best, value);
      sum += value;
    }
    const double own = g[state_.own()];
    const double here = share < 1 ? share * own + (1 - share) * sum / clusters_ : own;
    gap_ += std::max(0.0, best - here);
    if (best - here <= tolerance_) {
      return false;
    }
    ClusterId to = kNoCluster;
    double value = best;
    for (std::size_t c = 0; c < g.size(); ++c) {
      const ClusterId k = state_.candidates()[c];
      if (g[c] >= best - tolerance_ && g[c] - here > tolerance_ && k < to) {
        to = k;
        value = g[c];
      }
    }
    gain_ += value - here;
    interior_ -= share < 1 ? 1 : 0;
    state_.move(object, to);
    return true;
  }

  ShareState<View> state_;
  double clusters_;
  double tolerance_;
  std::size_t interior_;  // rows that are no vertices
  double gap_ = 0;
  double gain_ = 0;
};

// f at the start: x_o.x_p is (1 - w^2) / K, and w^2 more for the same label.
double first_objective(const Problem& problem, const std::vector<ClusterId>& labels,
                       std::size_t clusters, float share, ThreadTeam& team) {
  double diagonal = 0;
  for (ObjectId i = 0; i < labels.size(); ++i) {
    diagonal += shifted(problem, i, i);
  }
  const double squared = static_cast<double>(share) * static_cast<double>(share);
  const double total = std::visit([&](const auto& view) { return view.total(team); }, problem);
  const double within = -cost(problem, labels, team);
  return (1 - squared) / static_cast<double>(clusters) * (total - diagonal) +
         squared * (within - diagonal);
}

// Calls after(relaxing, changed) after every sweep, until it says to end.
template <class After>
void relax_until(const Problem& problem, std::vector<ClusterId>& labels, std::size_t clusters,
                 float share, const Context& context, const After& after) {
  std::visit(
      [&](const auto& view) {
        Relaxing relaxing(view, labels, clusters, share);
        SweepOrder order(labels.size());
        bool going = true;
        while (going && !context.should_stop()) {
          order.shuffle(context.rng);
          const std::size_t changed = relaxing.sweep(order, context.stop);
          going = after(relaxing, changed) && changed > 0;
        }
        labels = relaxing.labels();
      },
      problem);
}

std::size_t clusters_of_relaxation(std::size_t n, std::optional<std::size_t> clusters) {
  const auto root = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
  return clusters.value_or(std::min(n, std::clamp<std::size_t>(root, 2, kFreeAtMost)));
}

}  // namespace

Relaxation relax(const Problem& problem, std::vector<ClusterId>& labels, std::size_t clusters,
                 float share, const Context& context) {
  Relaxation result;
  result.objective = first_objective(problem, labels, clusters, share, context.team);
  double objective = result.objective;
  relax_until(problem, labels, clusters, share, context,
              [&](const auto& relaxing, std::size_t changed) {
                objective += relaxing.gain();
                result.objectives.push_back(objective);
                result.gaps.push_back(relaxing.gap());
                result.changed += changed;
                result.interior = relaxing.interior();
                return true;
              });
  return result;
}

Restart frank_wolfe(const Problem& problem, std::vector<ClusterId>& labels,
                    std::optional<std::size_t> clusters, const Context& context) {
  const std::size_t n = size(problem);
  const std::size_t relaxed = clusters_of_relaxation(n, clusters);
  labels.resize(n);
  for (ClusterId& label : labels) {
    label = context.rng.below(static_cast<std::uint32_t>(relaxed));
  }
  Restart restart;
  restart.method = "frank-wolfe";
  restart.cost = std::numeric_limits<double>::quiet_NaN();  // not known yet
  relax_until(problem, labels, relaxed, kStartShare, context,
              [&](const auto& relaxing, std::size_t changed) {
                restart.sweeps += 1;
                restart.moves += changed;
                if (context.after_sweep) {
                  context.after_sweep(restart, changed);
                }
                return relaxing.interior() > 0;
              });
  return descend_after(restart, problem, labels, clusters, context);
}

}  // namespace shiftcut

// Thresholds are judged by their cuts inside the cluster. Only the change in the total cut, and the
// ratio criterion, also count the similarities to other clusters.
#include "methods/spectral/p_laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "methods/operations.hpp"
#include "methods/spectral/eigenvectors.hpp"
#include "methods/spectral/tuning.hpp"

namespace shiftcut::methods {

namespace {

// A cluster to be split: its similarities, and the weights and outside similarities of its objects.
struct Part {
  Similarities similarities;
  std::vector<double> weights;
  std::vector<double> outward;  // similarities to objects of other clusters
};

// Two sides of a part.
struct Sides {
  std::vector<bool> on_left;
  double score = std::numeric_limits<double>::infinity();  // by the criterion
};

// cut / g over both sides, cuts against the whole graph.
double ratio_of(const Part& part, const std::vector<bool>& on_left, double cut) {
  double cuts[2] = {cut, cut};
  double weights[2] = {};
  for (std::size_t i = 0; i < on_left.size(); ++i) {
    cuts[on_left[i] ? 0 : 1] += part.outward[i];
    weights[on_left[i] ? 0 : 1] += part.weights[i];
  }
  return cuts[0] / weights[0] + cuts[1] / weights[1];
}

Sides best_threshold(const Part& part, std::span<const double> u, CutCriterion criterion,
                     ThreadTeam& team) {
  const std::vector<ObjectId> order = ascending(u);
  const std::vector<double> cuts = cuts_along(part.similarities, order, team);
  const double weight = std::accumulate(part.weights.begin(), part.weights.end(), 0.0);
  const double outward = std::accumulate(part.outward.begin(), part.outward.end(), 0.0);
  double left_weight = 0;
  double left_outward = 0;
  Sides best;
  std::size_t place = 0;
  for (std::size_t t = 0; t < cuts.size(); ++t) {
    left_weight += part.weights[order[t]];
    left_outward += part.outward[order[t]];
    const double right_weight = weight - left_weight;
    const double score = criterion == CutCriterion::cheeger
                             ? cuts[t] / std::min(left_weight, right_weight)
                             : (cuts[t] + left_outward) / left_weight +
                                   (cuts[t] + outward - left_outward) / right_weight;
    if (score < best.score) {
      best.score = score;
      place = t + 1;
    }
  }
  best.on_left.assign(u.size(), false);
  for (std::size_t t = 0; t < place; ++t) {
    best.on_left[order[t]] = true;
  }
  return best;
}

// Assigns components, the heaviest first, each to the lighter side.
std::vector<bool> sides_of_components(const Components& components, const Part& part) {
  std::vector<double> weights(components.count);
  for (std::size_t i = 0; i < components.of.size(); ++i) {
    weights[components.of[i]] -= part.weights[i];
  }
  std::vector<bool> component_left(components.count);
  double lead = 0;
  for (const ObjectId component : ascending(weights)) {
    component_left[component] = lead <= 0;
    lead += lead <= 0 ? -weights[component] : weights[component];
  }
  std::vector<bool> on_left(components.of.size());
  for (std::size_t i = 0; i < on_left.size(); ++i) {
    on_left[i] = component_left[components.of[i]];
  }
  return on_left;
}

// Watches a descent: keeps the best threshold and stops it once the sides have long been the same.
class ThresholdWatch {
 public:
  ThresholdWatch(const Part& part, CutCriterion criterion, ThreadTeam& team)
      : part_(part), criterion_(criterion), team_(team) {}

  void begin(int patience) {
    patience_ = patience;
    same_ = 0;
  }

  bool look_at(std::span<const double> u) {
    Sides now = best_threshold(part_, u, criterion_, team_);
    const bool same = now.on_left == last_;
    same_ = same ? same_ + 1 : 0;
    last_ = now.on_left;
    if (now.score < best_.score) {
      best_ = std::move(now);
    }
    return same_ >= patience_;
  }

  [[nodiscard]] const Sides& best() const { return best_; }

 private:
  const Part& part_;
  CutCriterion criterion_;
  ThreadTeam& team_;
  int patience_ = 0;
  int same_ = 0;
  std::vector<bool> last_;
  Sides best_;
};

// The sides of a connected part.
std::vector<bool> sides_along_eigenvector(const Part& part, const PSpectralOptions& options,
                                          ThreadTeam& team, const Control& control, int& steps) {
  ThresholdWatch watch(part, options.criterion, team);
  std::vector<double> u =
      second_laplacian_eigenpair(part.similarities, part.weights, team, control).vector;
  watch.look_at(u);
  PFunctional functional(part.similarities, part.weights, team);
  for (const double p : powers_down_to(options.p)) {
    watch.begin(p == options.p ? kPatienceAtTheEnd
                               : static_cast<int>(std::ceil(kPatienceOnTheWay / (p * p))));
    PDescent descent = p_descend(
        functional, p, std::move(u), options.max_steps,
        [&](const PFunctional::Point& point) { return watch.look_at(point.u); }, control);
    u = std::move(descent.point.u);
    steps += static_cast<int>(descent.history.size()) - 1;
  }
  return watch.best().on_left;
}

Part part_of(const WeightedGraph& graph, std::span<const ObjectId> members, ThreadTeam& team) {
  Part part;
  part.similarities = submatrix(graph.similarities, members, team);
  part.outward = degrees(part.similarities, team);
  for (std::size_t i = 0; i < members.size(); ++i) {
    part.weights.push_back(graph.weights[members[i]]);
    part.outward[i] = std::max(graph.degrees[members[i]] - part.outward[i], 0.0);
  }
  return part;
}

double cut_between(const Similarities& similarities, const std::vector<bool>& on_left,
                   ThreadTeam& team) {
  std::vector<double> cuts(on_left.size());
  for_rows(on_left.size(), team, [&](std::size_t i) {
    if (on_left[i]) {
      for_row(similarities, i,
              [&](std::size_t j, double value) { cuts[i] += on_left[j] ? 0 : value; });
    }
  });
  return std::accumulate(cuts.begin(), cuts.end(), 0.0);
}

}  // namespace

Split p_split(const WeightedGraph& graph, std::span<const ObjectId> members,
              const PSpectralOptions& options, ThreadTeam& team, const Control& control,
              int& steps) {
  const Part part = part_of(graph, members, team);
  const Components parts = components(part.similarities);
  const std::vector<bool> on_left =
      parts.count > 1 ? sides_of_components(parts, part)
                      : sides_along_eigenvector(part, options, team, control, steps);
  Split split = split_by_side(members, on_left);
  const double cut = cut_between(part.similarities, on_left, team);
  const double outward = std::accumulate(part.outward.begin(), part.outward.end(), 0.0);
  const double weight = std::accumulate(part.weights.begin(), part.weights.end(), 0.0);
  split.change = ratio_of(part, on_left, cut) - outward / weight;
  return split;
}

}  // namespace shiftcut::methods

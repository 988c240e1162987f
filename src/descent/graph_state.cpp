#include "descent/graph_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "descent/tuning.hpp"

namespace shiftcut {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

}  // namespace

GraphState::GraphState(const GraphProblem& problem, std::vector<ClusterId> labels,
                       std::optional<std::size_t> clusters)
    : problem_(problem),
      labels_(std::move(labels)),
      slots_(labels_, clusters, problem.node_weights()),
      degrees_(slots_.count(), 0.0),
      limit_(problem.size(), kNever),
      weight_to_(slots_.count(), 0.0),
      is_near_(slots_.count(), false) {
  for (ObjectId i = 0; i < labels_.size(); ++i) {
    degrees_[labels_[i]] += problem_.degree(i);
  }
  use_far_ = slots_.count() > descent_tuning::kScanAtMost;
  if (slots_.free()) {
    use_far_ = problem_.has_negative_degree();
    for (ObjectId i = 0; i < labels_.size() && !use_far_; ++i) {
      use_far_ = problem_.per_object(i) < 0;
    }
  }
  if (use_far_) {
    for (ClusterId k = 0; k < slots_.count(); ++k) {
      far_.insert(k, far_size(k), far_degrees(k));
    }
  }
}

std::size_t GraphState::sweep(const SweepOrder& order, StopCheck& stop) {
  std::size_t moves = 0;
  for_each_in_order(order, stop, [&](ObjectId object) {
    if (drift(object) < limit_[object]) {
      return;
    }
    const ClusterId to = judge(object);
    if (to != labels_[object]) {
      move(object, to);
      ++moves;
    }
  });
  return moves;
}

// Where sizes or degrees do not count, clusters that differ only in them tie, and the lowest number
// wins.
double GraphState::far_size(ClusterId k) const {
  return problem_.terms().count_sizes() ? slots_.size(k) : 0.0;
}

double GraphState::far_degrees(ClusterId k) const {
  return problem_.terms().count_degrees() ? degrees_[k] : 0.0;
}

// Bounds the change of the difference of two affinities through all moves so far.
double GraphState::drift(ObjectId object) const {
  return 2 * (moved_ * std::abs(problem_.per_object(object)) +
              std::abs(problem_.per_unit_degree(object)) * moved_degrees_);
}

// best_move() over the clusters that can be best.
ClusterId GraphState::judge(ObjectId object) {
  candidates_.clear();
  const double own_affinity = gather_near(object);
  const std::size_t near_count = candidates_.size();
  gather_far(object);
  for (const ClusterId k : near_) {
    weight_to_[k] = 0;
    is_near_[k] = false;
  }
  const auto is_near = [&](ClusterId k) {
    return std::any_of(candidates_.begin(),
                       candidates_.begin() + static_cast<std::ptrdiff_t>(near_count),
                       [&](const Candidate& c) { return c.cluster == k; });
  };

  const ClusterId own = labels_[object];
  const double tolerance = problem_.tolerance();
  double best = own_affinity;
  for (const Candidate& c : candidates_) {
    best = std::max(best, c.affinity);
  }
  Candidate chosen{own, own_affinity};
  if (best - own_affinity > tolerance) {
    chosen.cluster = kNoCluster;
    for (const Candidate& c : candidates_) {
      if (c.affinity >= best - tolerance && c.affinity - own_affinity > tolerance &&
          c.cluster < chosen.cluster) {
        chosen = c;
      }
    }
  }
  double other = chosen.cluster == own ? kNever : own_affinity;
  for (const Candidate& c : candidates_) {
    if (c.cluster != chosen.cluster) {
      other = std::max(other, c.affinity);
    }
  }
  const bool opens = slots_.free() && slots_.size(chosen.cluster) == 0;
  // Of far clusters only the best was seen, and not by how much it is the best of them.
  const bool is_far = use_far_ && chosen.cluster != own && !is_near(chosen.cluster);
  limit_[object] =
      opens || is_far ? kNever : chosen.affinity - other - tolerance + drift(object) * (1 - 1e-12);
  return chosen.cluster;
}

// The clusters of the object's neighbours; returns its affinity to its own.
double GraphState::gather_near(ObjectId object) {
  const ClusterId own = labels_[object];
  near_.assign(1, own);
  is_near_[own] = true;
  const auto neighbors = problem_.neighbors(object);
  const auto weights = problem_.weights(object);
  for (std::size_t e = 0; e < neighbors.size(); ++e) {
    if (neighbors[e] == object) {
      continue;
    }
    const ClusterId k = labels_[neighbors[e]];
    weight_to_[k] += weights[e];
    if (!is_near_[k]) {
      is_near_[k] = true;
      near_.push_back(k);
    }
  }
  for (std::size_t i = 1; i < near_.size(); ++i) {
    const ClusterId k = near_[i];
    candidates_.push_back(
        {k, problem_.affinity(object, weight_to_[k], slots_.size(k), degrees_[k])});
  }
  return problem_.affinity(object, weight_to_[own], slots_.size(own) - problem_.node_weight(object),
                           degrees_[own] - problem_.degree(object));
}

void GraphState::gather_far(ObjectId object) {
  const auto add = [&](ClusterId k, double size, double degrees) {
    candidates_.push_back({k, problem_.affinity(object, 0, size, degrees)});
  };
  if (slots_.free() &&
      (!use_far_ || (problem_.per_object(object) >= 0 && !problem_.has_negative_degree()))) {
    // No far cluster has a positive affinity; an empty one has 0.
    candidates_.push_back({slots_.first_empty(), 0.0});
  } else if (use_far_) {
    // Under the degree shift, clusters of objects without edges tie up to rounding.
    const double per_degree = problem_.per_unit_degree(object);
    const bool has_ties = problem_.terms().per_product != 0 && per_degree != 0;
    far_.for_best_of_each_size([&](ClusterId k) { return is_near_[k]; }, per_degree,
                               has_ties ? problem_.tolerance() / std::abs(per_degree) : 0.0, add);
  } else {
    for (ClusterId k = 0; k < slots_.count(); ++k) {
      if (!is_near_[k]) {
        add(k, slots_.size(k), degrees_[k]);
      }
    }
  }
}

void GraphState::move(ObjectId object, ClusterId to) {
  const ClusterId from = labels_[object];
  const double degree = problem_.degree(object);
  if (use_far_) {
    far_.erase(from, far_size(from), far_degrees(from));
    far_.erase(to, far_size(to), far_degrees(to));
  }
  const std::size_t slots_before = slots_.count();
  slots_.move(from, to, problem_.node_weight(object));
  degrees_[from] = slots_.size(from) == 0 ? 0.0 : degrees_[from] - degree;
  degrees_[to] += degree;
  labels_[object] = to;
  if (slots_.count() > slots_before) {
    degrees_.push_back(0);
    weight_to_.push_back(0);
    is_near_.push_back(false);
  }
  if (use_far_) {
    far_.insert(from, far_size(from), far_degrees(from));
    far_.insert(to, far_size(to), far_degrees(to));
    if (slots_.count() > slots_before) {
      far_.insert(static_cast<ClusterId>(slots_before), 0, 0);
    }
  }
  moved_ += problem_.node_weight(object);
  moved_degrees_ += std::abs(degree);
  for (const ObjectId neighbor : problem_.neighbors(object)) {
    limit_[neighbor] = neighbor == object ? limit_[neighbor] : kNever;
  }
}

}  // namespace shiftcut

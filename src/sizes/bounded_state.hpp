// Clusters under bounds on their sizes: which moves there are, what they gain, and sweeps of them.
// A gain is in units of ClusterSums; the cost falls by twice that.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/partition.hpp"
#include "core/rng.hpp"
#include "core/stop_check.hpp"
#include "descent/best_move.hpp"
#include "descent/features/cluster_sums.hpp"
#include "sizes/size_bounds.hpp"

namespace shiftcut {

struct Target {
  ClusterId to = kNoCluster;
  double gain = -std::numeric_limits<double>::infinity();
};

template <class View>
class BoundedState {
 public:
  static constexpr bool kIsGraph = std::is_same_v<View, GraphProblem>;

  BoundedState(const View& problem, const SizeBounds& bounds, std::vector<ClusterId> labels)
      : problem_(problem),
        bounds_(bounds),
        labels_{std::move(labels), {}},
        slots_(labels_.of, bounds.clusters, weights_of(bounds)),
        sums_(std::make_unique<ClusterSums<View>>(problem)) {
    make_room();
    add_all();
  }

  [[nodiscard]] const View& problem() const { return problem_; }
  [[nodiscard]] const SizeBounds& bounds() const { return bounds_; }
  [[nodiscard]] const std::vector<ClusterId>& labels() const { return labels_.of; }
  [[nodiscard]] std::size_t objects() const { return labels_.of.size(); }
  [[nodiscard]] ClusterId label(ObjectId i) const { return labels_.of[i]; }
  [[nodiscard]] std::size_t clusters() const { return slots_.count(); }
  [[nodiscard]] std::size_t size(ClusterId k) const {
    return static_cast<std::size_t>(slots_.size(k));
  }
  [[nodiscard]] bool has_room(ClusterId k, ObjectId i) const {
    return size(k) + bounds_.count(i) <= bounds_.most;
  }
  [[nodiscard]] double tolerance() const { return problem_.tolerance(); }
  [[nodiscard]] double unit() const { return sums_->unit(); }
  [[nodiscard]] ClusterId first_empty() { return slots_.first_empty(); }

  [[nodiscard]] std::vector<std::vector<ObjectId>> members() const {
    std::vector<std::vector<ObjectId>> all(clusters());
    for (ObjectId i = 0; i < objects(); ++i) {
      all[label(i)].push_back(i);
    }
    return all;
  }

  /// Whether both clusters keep their bounds if the object moves.
  [[nodiscard]] bool allows(ObjectId i, ClusterId to) const {
    const std::size_t count = bounds_.count(i);
    return bounds_.allow(size(label(i)) - count) && bounds_.allow(size(to) + count);
  }

  [[nodiscard]] double gain(ObjectId i, ClusterId to) {
    const std::array<ClusterId, 2> two = {label(i), to};
    std::array<double, 2> out{};
    sums_->affinities(i, labels_, two, out.data());
    return out[1] - out[0];
  }

  /// The affinity to its own cluster.
  [[nodiscard]] double own_affinity(ObjectId i) {
    const ClusterId own = label(i);
    double out = 0;
    sums_->affinities(i, labels_, std::span(&own, 1), &out);
    return out;
  }

  void move(ObjectId i, ClusterId to) {
    const ClusterId from = label(i);
    sums_->add(i, from, -1);
    sums_->add(i, to, 1);
    labels_.of[i] = to;
    slots_.move(from, to, static_cast<double>(bounds_.count(i)));
    make_room();
  }

  /// The best of the other clusters that are `allowed`; on a graph, far from the object's
  /// neighbours only where one may be better than its own, or where no other is allowed and the
  /// object `must` leave. In a tie, the lowest number.
  template <class Allowed>
  Target best_target(ObjectId i, const Allowed& allowed, bool must = false) {
    if constexpr (kIsGraph) {
      sums_->list_near(i, labels_, candidates_);
      if (slots_.free()) {
        candidates_.push_back(slots_.first_empty());
      }
      double own = 0;
      const Target near = best_of_candidates(i, allowed, own);
      const bool is_far_better = own < -tolerance() || far_may_attract(i);
      if (!is_far_better && !(must && near.to == kNoCluster)) {
        return near;
      }
    }
    list_all(label(i));
    double own = 0;
    return best_of_candidates(i, allowed, own);
  }

  /// Visits every object once in random order, moving each to its best allowed cluster; returns the
  /// number of moves.
  std::size_t sweep(Rng& rng, StopCheck& stop) {
    order_.resize(objects());
    std::iota(order_.begin(), order_.end(), ObjectId{0});
    for (std::size_t i = order_.size(); i > 1; --i) {
      std::swap(order_[i - 1], order_[rng.below(static_cast<std::uint32_t>(i))]);
    }
    measure_degrees();
    std::size_t moves = 0;
    for (std::size_t p = 0; p < order_.size() && !(p % 64 == 0 && stop.should_stop()); ++p) {
      const ObjectId i = order_[p];
      const Target target = best_target(i, [&](ClusterId k) { return allows(i, k); });
      if (target.to != kNoCluster && target.gain > tolerance()) {
        move(i, target.to);
        ++moves;
      }
    }
    return moves;
  }

  /// From the data, without the rounding of many moves.
  void recompute_sums() {
    sums_ = std::make_unique<ClusterSums<View>>(problem_);
    sums_->make_room(clusters());
    add_all();
  }

  /// The least mean degree of a cluster, which tells whether an object is drawn to clusters it has
  /// no edge to.
  void measure_degrees() {
    if constexpr (kIsGraph) {
      std::vector<double> degrees(clusters(), 0.0);
      std::vector<double> weights(clusters(), 0.0);
      for (ObjectId i = 0; i < objects(); ++i) {
        degrees[label(i)] += problem_.degree(i);
        weights[label(i)] += problem_.node_weight(i);
      }
      least_degree_ = std::numeric_limits<double>::infinity();
      for (ClusterId k = 0; k < clusters(); ++k) {
        if (weights[k] > 0) {
          least_degree_ = std::min(least_degree_, degrees[k] / weights[k]);
        }
      }
    }
  }

 private:
  static NodeWeights weights_of(const SizeBounds& bounds) {
    return bounds.counts.empty() ? NodeWeights{}
                                 : NodeWeights({bounds.counts.begin(), bounds.counts.end()});
  }

  void add_all() {
    for (ObjectId i = 0; i < objects(); ++i) {
      sums_->add(i, label(i), 1);
    }
  }

  void make_room() {
    if (slots_.count() > room_) {
      room_ = slots_.count();
      sums_->make_room(room_);
    }
  }

  // Of empty clusters, with K free, only the first.
  void list_all(ClusterId own) {
    candidates_.assign(1, own);
    const ClusterId empty = slots_.free() ? slots_.first_empty() : kNoCluster;
    for (ClusterId k = 0; k < clusters(); ++k) {
      if (k != own && (!slots_.free() || size(k) > 0 || k == empty)) {
        candidates_.push_back(k);
      }
    }
  }

  // The first candidate is the object's own cluster.
  template <class Allowed>
  Target best_of_candidates(ObjectId i, const Allowed& allowed, double& own) {
    affinities_.resize(candidates_.size());
    sums_->affinities(i, labels_, candidates_, affinities_.data());
    own = affinities_[0];
    Target best;
    for (std::size_t c = 1; c < candidates_.size(); ++c) {
      const ClusterId k = candidates_[c];
      const double gain = affinities_[c] - own;
      const bool is_better = gain > best.gain || (gain == best.gain && k < best.to);
      if (is_better && allowed(k)) {
        best = {k, gain};
      }
    }
    return best;
  }

  [[nodiscard]] bool far_may_attract(ObjectId i) const {
    if constexpr (kIsGraph) {
      const double per_degree = problem_.per_unit_degree(i);
      return problem_.has_negative_degree() || per_degree < 0 ||
             problem_.per_object(i) + per_degree * least_degree_ < 0;
    } else {
      return true;
    }
  }

  const View& problem_;
  const SizeBounds& bounds_;
  SoftLabels labels_;  // all of weight 1
  Slots slots_;
  std::unique_ptr<ClusterSums<View>> sums_;  // replaced when labels are
  std::size_t room_ = 0;
  double least_degree_ = 0;
  std::vector<ClusterId> candidates_;
  std::vector<double> affinities_;
  std::vector<ObjectId> order_;
};

}  // namespace shiftcut

// A soft assignment of objects to clusters, as annealing and Frank-Wolfe move through it: labels
// with weights (cluster_sums.hpp), the clusters an object may go to and its affinities to them.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/partition.hpp"
#include "core/rng.hpp"
#include "descent/best_move.hpp"
#include "descent/features/cluster_sums.hpp"
#include "problem/problem.hpp"

namespace shiftcut {

template <class View>
class SoftAssignment {
 public:
  SoftAssignment(const View& problem, SoftLabels labels, std::optional<std::size_t> clusters)
      : sums_(problem),
        node_weights_(problem.node_weights()),
        labels_(std::move(labels)),
        slots_(labels_.of, clusters, node_weights_) {
    make_room();
    for (ObjectId i = 0; i < labels_.of.size(); ++i) {
      sums_.add(i, labels_.of[i], labels_.weight(i));
      if (place_[labels_.of[i]] == kNoCluster) {
        list_present(labels_.of[i]);
      }
    }
  }

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return labels_.of; }
  [[nodiscard]] double weight(ObjectId i) const { return labels_.weight(i); }
  /// What affinities are in units of.
  [[nodiscard]] double unit() const { return sums_.unit(); }
  /// The number of clusters that are some object's label.
  [[nodiscard]] std::size_t present() const { return present_.size(); }

  /// Computes the affinities to all clusters present and to the first empty one, if there is one;
  /// an object alone in its cluster needs no empty one, for its own is as good.
  void evaluate(ObjectId object) {
    const ClusterId own = labels_.of[object];
    candidates_ = present_;
    own_ = place_[own];
    const std::size_t empty = slots_.count() - present_.size();
    finish(object, slots_.free() ? 1.0 : static_cast<double>(empty));
  }

  /// The same for the clusters of the object's neighbours, an empty one as above and, with K given,
  /// one drawn at random from all. For graphs; O(degree).
  void evaluate_near(ObjectId object, Rng& rng) {
    sums_.list_near(object, labels_, candidates_);
    own_ = 0;
    if (!slots_.free()) {
      const ClusterId far = present_[rng.below(static_cast<std::uint32_t>(present_.size()))];
      if (std::find(candidates_.begin(), candidates_.end(), far) == candidates_.end()) {
        candidates_.push_back(far);
      }
    }
    finish(object, 1);
  }

  /// The result of the last evaluation: clusters, g for each, and the index of the object's label.
  [[nodiscard]] const std::vector<ClusterId>& candidates() const { return candidates_; }
  [[nodiscard]] const std::vector<double>& affinities() const { return affinities_; }
  [[nodiscard]] std::size_t own() const { return own_; }
  /// The index of the candidate without other objects, if any, and how many such clusters it stands
  /// for.
  [[nodiscard]] std::optional<std::size_t> vacant() const { return vacant_; }
  [[nodiscard]] double vacant_copies() const { return vacant_copies_; }

  /// Moves the object to the vertex of `to`, with weight 1.
  void move(ObjectId object, ClusterId to) {
    const ClusterId from = labels_.of[object];
    const double weight = labels_.weight(object);
    if (from == to) {
      sums_.add(object, to, 1 - weight);
    } else {
      sums_.add(object, from, -weight);
      sums_.add(object, to, 1);
      labels_.of[object] = to;
      slots_.move(from, to, node_weights_.of(object));
      make_room();
      if (place_[to] == kNoCluster) {
        list_present(to);
      }
      if (slots_.size(from) == 0) {
        unlist_present(from);
      }
    }
    if (!labels_.weights.empty()) {
      labels_.weights[object] = 1;
    }
  }

 private:
  void make_room() {
    if (slots_.count() > place_.size()) {
      place_.resize(slots_.count(), kNoCluster);
      sums_.make_room(slots_.count());
    }
  }

  void list_present(ClusterId k) {
    place_[k] = static_cast<ClusterId>(present_.size());
    present_.push_back(k);
  }
  void unlist_present(ClusterId k) {
    const ClusterId last = present_.back();
    present_[place_[k]] = last;
    place_[last] = place_[k];
    present_.pop_back();
    place_[k] = kNoCluster;
  }

  void finish(ObjectId object, double empty) {
    affinities_.resize(candidates_.size());
    sums_.affinities(object, labels_, candidates_, affinities_.data());
    vacant_.reset();
    vacant_copies_ = empty;
    if (slots_.size(labels_.of[object]) == node_weights_.of(object)) {
      vacant_ = own_;
      affinities_[own_] = 0;
      vacant_copies_ = slots_.free() ? 1 : empty + 1;
    } else if (const ClusterId k = slots_.first_empty(); k != kNoCluster) {
      vacant_ = candidates_.size();
      candidates_.push_back(k);
      affinities_.push_back(0);
    }
  }

  ClusterSums<View> sums_;
  const NodeWeights& node_weights_;
  SoftLabels labels_;
  Slots slots_;
  std::vector<ClusterId> present_;  // in no particular order
  std::vector<ClusterId> place_;    // the index of each cluster among them, or kNoCluster

  std::vector<ClusterId> candidates_;
  std::vector<double> affinities_;
  std::size_t own_ = 0;
  std::optional<std::size_t> vacant_;
  double vacant_copies_ = 0;
};

}  // namespace shiftcut

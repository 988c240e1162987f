#include "search/eject.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "search/tuning.hpp"

namespace shiftcut {

namespace {

constexpr ObjectId kNobody = std::numeric_limits<ObjectId>::max();

class Ejection {
 public:
  Ejection(const GraphProblem& problem, const OnePerCluster& groups, const Conflicts* conflicts,
           std::optional<std::size_t> clusters, std::vector<ClusterId>& labels)
      : problem_(problem), groups_(groups), conflicts_(conflicts), labels_(labels) {
    const std::size_t used = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
    const std::size_t count = std::max(clusters.value_or(labels.size()), used);
    objects_.assign(count, 0);
    node_weight_.assign(count, 0.0);
    degrees_.assign(count, 0.0);
    taken_.reserve(labels.size());
    for (ObjectId v = 0; v < labels.size(); ++v) {
      enter(v, labels[v]);
    }
    for (std::size_t k = count; k-- > 0;) {
      if (objects_[k] == 0) {
        empty_.push_back(static_cast<ClusterId>(k));
      }
    }
  }

  bool sweep(StopCheck& stop) {
    bool changed = false;
    for (ObjectId v = 0; v < labels_.size(); ++v) {
      if (v % 4096 == 0 && stop.should_stop()) {
        break;
      }
      changed = improve(v) || changed;
    }
    return changed;
  }

 private:
  struct Place {
    ClusterId cluster = kNoCluster;
    double affinity = 0;
  };
  struct Change {
    double gain = 0;
    ClusterId to = kNoCluster;
    ObjectId leaves = kNobody;
    ClusterId leaves_to = kNoCluster;
  };

  static std::uint64_t key(std::uint32_t group, ClusterId k) {
    return (std::uint64_t{group} << 32) | k;
  }

  void enter(ObjectId v, ClusterId k) {
    labels_[v] = k;
    ++objects_[k];
    node_weight_[k] += problem_.node_weight(v);
    degrees_[k] += problem_.degree(v);
    for (const std::uint32_t g : groups_.groups(v)) {
      taken_[key(g, k)] = v;
    }
  }

  void leave(ObjectId v) {
    const ClusterId k = labels_[v];
    node_weight_[k] -= problem_.node_weight(v);
    degrees_[k] -= problem_.degree(v);
    for (const std::uint32_t g : groups_.groups(v)) {
      taken_.erase(key(g, k));
    }
    if (--objects_[k] == 0) {
      node_weight_[k] = degrees_[k] = 0;
      empty_.push_back(k);
    }
  }

  void move(ObjectId v, ClusterId k) {
    leave(v);
    open(k);
    enter(v, k);
  }

  // Marks a cluster as used. It is one of those emptied last.
  void open(ClusterId k) {
    if (objects_[k] == 0) {
      std::iter_swap(std::find(empty_.rbegin(), empty_.rend(), k), empty_.rbegin());
      empty_.pop_back();
    }
  }

  // The clusters that edges lead to, its own first (without v itself), then an empty one.
  std::vector<Place> places(ObjectId v) const {
    std::vector<Place> out{{labels_[v], 0}};
    const auto to = problem_.neighbors(v);
    const auto weights = problem_.weights(v);
    for (std::size_t e = 0; e < to.size(); ++e) {
      if (to[e] == v) {
        continue;
      }
      const ClusterId k = labels_[to[e]];
      auto at = std::ranges::find(out, k, &Place::cluster);
      if (at == out.end()) {
        at = out.insert(out.end(), Place{k, 0});
      }
      at->affinity += weights[e];
    }
    for (Place& place : out) {
      const bool own = place.cluster == labels_[v];
      place.affinity = problem_.affinity(
          v, place.affinity, node_weight_[place.cluster] - (own ? problem_.node_weight(v) : 0),
          degrees_[place.cluster] - (own ? problem_.degree(v) : 0));
    }
    if (!empty_.empty()) {
      out.push_back({empty_.back(), 0});
    }
    return out;
  }

  bool in_conflict(ObjectId v, ClusterId k) const {
    return conflicts_ != nullptr &&
           std::ranges::any_of(conflicts_->lists()[v], [&](ObjectId u) { return labels_[u] == k; });
  }

  // The object of v's groups that is in the cluster; v itself stands for several.
  ObjectId rival(ObjectId v, ClusterId k) const {
    ObjectId found = kNobody;
    for (const std::uint32_t g : groups_.groups(v)) {
      const auto there = taken_.find(key(g, k));
      if (there != taken_.end() && there->second != found) {
        found = found == kNobody ? there->second : v;
      }
    }
    return found;
  }

  // Moves v to `place` and ejects `other` from there to its best remaining place.
  Change with_ejection(ObjectId v, const Place& place, double own, ObjectId other) const {
    const double between = problem_.shifted(v, other);
    Change best;
    const std::vector<Place> others = places(other);
    const double from = others.front().affinity;
    const auto consider = [&](ClusterId k, double affinity) {
      const double gain = place.affinity - between - own + affinity - from;
      if (gain > best.gain) {
        best = {gain, place.cluster, other, k};
      }
    };
    bool is_met = false;
    for (std::size_t i = 1; i < others.size(); ++i) {
      const ClusterId k = others[i].cluster;
      if (k == labels_[v]) {
        is_met = true;
      } else if (rival(other, k) == kNobody && !in_conflict(other, k)) {
        consider(k, others[i].affinity);
      }
    }
    const ClusterId left = labels_[v];
    const ObjectId there = rival(other, left);
    if ((there == v || there == kNobody) && !in_conflict(other, left) &&
        groups_.groups(other).size() == 1) {
      const double affinity = is_met
                                  ? std::ranges::find(others, left, &Place::cluster)->affinity
                                  : problem_.affinity(other, 0, node_weight_[left], degrees_[left]);
      consider(left, affinity - between);
    }
    return best;
  }

  bool improve(ObjectId v) {
    const std::vector<Place> all = places(v);
    const double own = all.front().affinity;
    Change best;
    for (std::size_t i = 1; i < all.size(); ++i) {
      const Place& place = all[i];
      if (in_conflict(v, place.cluster)) {
        continue;
      }
      const ObjectId other = rival(v, place.cluster);
      if (other == v) {
        continue;
      }
      const Change change = other == kNobody
                                ? Change{place.affinity - own, place.cluster, kNobody, kNoCluster}
                                : with_ejection(v, place, own, other);
      if (change.gain > best.gain) {
        best = change;
      }
    }
    if (best.gain <= problem_.tolerance()) {
      return false;
    }
    if (best.leaves != kNobody) {
      const ClusterId left = labels_[v];
      if (best.leaves_to == left) {  // the two swap places
        leave(best.leaves);
        leave(v);
        open(best.to);
        enter(v, best.to);
        open(left);
        enter(best.leaves, left);
        return true;
      }
      move(best.leaves, best.leaves_to);
    }
    move(v, best.to);
    return true;
  }

  const GraphProblem& problem_;
  const OnePerCluster& groups_;
  const Conflicts* conflicts_;
  std::vector<ClusterId>& labels_;
  std::vector<std::size_t> objects_;
  std::vector<double> node_weight_;
  std::vector<double> degrees_;
  std::unordered_map<std::uint64_t, ObjectId>
      taken_;  // by group and cluster: the object that holds the place
  std::vector<ClusterId> empty_;
};

}  // namespace

bool eject(const GraphProblem& problem, const OnePerCluster& groups, const Conflicts* conflicts,
           std::optional<std::size_t> clusters, std::vector<ClusterId>& labels, StopCheck& stop) {
  Ejection ejection(problem, groups, conflicts, clusters, labels);
  bool changed = false;
  for (int sweep = 0; sweep < kMostEjectionSweeps && !stop.should_stop(); ++sweep) {
    if (!ejection.sweep(stop)) {
      break;
    }
    changed = true;
  }
  return changed;
}

}  // namespace shiftcut

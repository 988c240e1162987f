// Local search over a sparse graph. Judging an object takes its edges and, for the clusters it has
// no edge to, a scan of all of them (few) or one lookup per cluster size (many).
//
// Pruning: while none of an object's neighbours moves, its affinities change only through the sizes
// and degree sums of clusters, by at most |per_object(o)| per moved object and |per_unit_degree(o)|
// per unit of its degree. An object is skipped while its margin exceeds twice the drift that all
// moves since can have caused.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/stop_check.hpp"
#include "descent/best_move.hpp"
#include "descent/sweep_order.hpp"
#include "problem/graph_problem.hpp"

namespace shiftcut {

/// The best cluster for an object among those it has no edge to. Its affinity to such a cluster is
///   - |C| per_object(o) - R_C per_unit_degree(o),
/// so among clusters of one size only the one with the smallest degree sum R can be best (or the
/// largest, for an object of negative degree under the degree shift): clusters are sorted by size,
/// then R, and a lookup takes one step per size instead of one per cluster.
class FarClusters {
 public:
  void insert(ClusterId k, double size, double degrees) { by_size_[size].emplace(degrees, k); }

  void erase(ClusterId k, double size, double degrees) {
    const auto it = by_size_.find(size);
    it->second.erase({degrees, k});
    if (it->second.empty()) {
      by_size_.erase(it);
    }
  }

  /// Calls visit(cluster, size, degrees) for the best cluster of each size among those that
  /// skip(cluster) does not rule out; of those whose R is within `slack` of the best, the one with
  /// the lowest number.
  template <class Skip, class Visit>
  void for_best_of_each_size(const Skip& skip, double per_unit_degree, double slack,
                             const Visit& visit) const {
    for (const auto& [size, clusters] : by_size_) {
      const auto best = best_of(clusters, skip, per_unit_degree, slack);
      if (best != clusters.end()) {
        visit(best->second, size, best->first);
      }
    }
  }

 private:
  using Clusters = std::set<std::pair<double, ClusterId>>;

  template <class Skip>
  static Clusters::const_iterator best_of(const Clusters& clusters, const Skip& skip,
                                          double per_unit_degree, double slack) {
    const auto is_open = [&](const auto& cluster) { return !skip(cluster.second); };
    const auto first = std::find_if(clusters.begin(), clusters.end(), is_open);
    const bool are_equal = clusters.begin()->first == clusters.rbegin()->first;
    if (first == clusters.end() || are_equal || (per_unit_degree > 0 && slack == 0)) {
      return first;
    }
    double lowest = first->first;
    double highest = std::find_if(clusters.rbegin(), clusters.rend(), is_open)->first;
    lowest = per_unit_degree < 0 ? highest - slack : lowest;
    highest = per_unit_degree > 0 ? lowest + slack : highest;
    auto best = clusters.end();
    for (auto it = std::find_if(clusters.lower_bound({lowest, 0}), clusters.end(), is_open);
         it != clusters.end() && it->first <= highest;
         it =
             std::find_if(clusters.upper_bound({it->first, kNoCluster}), clusters.end(), is_open)) {
      best = best == clusters.end() || it->second < best->second ? it : best;
    }
    return best;
  }

  std::map<double, Clusters> by_size_;
};

class GraphState {
 public:
  GraphState(const GraphProblem& problem, std::vector<ClusterId> labels,
             std::optional<std::size_t> clusters);

  /// Visits every object once; returns the number of moves.
  std::size_t sweep(const SweepOrder& order, StopCheck& stop);

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return labels_; }

 private:
  struct Candidate {
    ClusterId cluster;
    double affinity;
  };

  ClusterId judge(ObjectId object);
  double gather_near(ObjectId object);
  void gather_far(ObjectId object);
  void move(ObjectId object, ClusterId to);
  [[nodiscard]] double far_size(ClusterId k) const;
  [[nodiscard]] double far_degrees(ClusterId k) const;
  [[nodiscard]] double drift(ObjectId object) const;

  const GraphProblem& problem_;
  std::vector<ClusterId> labels_;
  Slots slots_;
  std::vector<double> degrees_;  // per cluster
  bool use_far_ = false;         // whether far_ is maintained and used
  FarClusters far_;
  std::vector<double> limit_;  // per object: it cannot move while drift() is below
  double moved_ = 0;           // the weight of all objects moved so far
  double moved_degrees_ = 0;   // the sum of their |r|

  std::vector<double> weight_to_;  // per cluster, of the object being judged
  std::vector<bool> is_near_;
  std::vector<ClusterId> near_;
  std::vector<Candidate> candidates_;
};

}  // namespace shiftcut

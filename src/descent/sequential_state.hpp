// Local search one object at a time, over any view that has ClusterSums: compute the affinities to
// all clusters, take the best move, update the sums. Used for sparse rows, where a sweep costs
// O(entries K); the other views have engines that skip objects or judge them in batches.
#pragma once

#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/partition.hpp"
#include "core/stop_check.hpp"
#include "descent/best_move.hpp"
#include "descent/features/cluster_sums.hpp"
#include "descent/sweep_order.hpp"

namespace shiftcut {

template <class View>
class SequentialState {
 public:
  SequentialState(const View& problem, std::vector<ClusterId> labels,
                  std::optional<std::size_t> clusters)
      : problem_(problem),
        labels_{std::move(labels), {}},
        slots_(labels_.of, clusters, problem.node_weights()),
        sums_(problem) {
    make_room();
    for (ObjectId i = 0; i < labels_.of.size(); ++i) {
      sums_.add(i, labels_.of[i], 1);
    }
  }

  /// Visits every object once; returns the number of moves.
  std::size_t sweep(const SweepOrder& order, StopCheck& stop) {
    std::size_t moves = 0;
    for_each_in_order(order, stop, [&](ObjectId object) {
      const ClusterId own = labels_.of[object];
      sums_.affinities(object, labels_, all_, affinities_.data());
      const ClusterId to = best_move(affinities_, own, problem_.tolerance()).to;
      if (to != own) {
        move(object, own, to);
        ++moves;
      }
    });
    return moves;
  }

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return labels_.of; }

 private:
  void move(ObjectId object, ClusterId from, ClusterId to) {
    sums_.add(object, from, -1);
    sums_.add(object, to, 1);
    labels_.of[object] = to;
    slots_.move(from, to, problem_.node_weights().of(object));
    make_room();
  }

  void make_room() {
    if (slots_.count() > all_.size()) {
      all_.resize(slots_.count());
      std::iota(all_.begin(), all_.end(), ClusterId{0});
      affinities_.resize(slots_.count());
      sums_.make_room(slots_.count());
    }
  }

  const View& problem_;
  SoftLabels labels_;  // all of weight 1
  Slots slots_;
  ClusterSums<View> sums_;
  std::vector<ClusterId> all_;  // 0, 1, 2 ...
  std::vector<double> affinities_;
};

}  // namespace shiftcut

// Local search over a sparse graph. Judging an object takes its edges and, for the clusters it has
// no edge to, a scan of all of them (few) or one look a cluster size (many: far_clusters.hpp).
//
// Pruning: while none of an object's neighbours moves, its affinities change only through the sizes
// and degree sums of clusters, by at most per_object(o) a moved object and per_degree |r| of it; an
// object whose margin exceeds twice what all moves since can have done is passed over.
#pragma once

#include <optional>
#include <vector>

#include "core/stop_check.hpp"
#include "descent/far_clusters.hpp"
#include "descent/slots.hpp"
#include "descent/sweep_order.hpp"
#include "problem/graph_problem.hpp"

namespace shiftcut {

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
  [[nodiscard]] double far_degrees(ClusterId k) const;
  [[nodiscard]] double drift(ObjectId object) const;

  const GraphProblem& problem_;
  std::vector<ClusterId> labels_;
  Slots slots_;
  std::vector<double> degrees_;  // per cluster
  bool keep_far_ = false;        // whether far_ is kept up to date and used
  FarClusters far_;
  std::vector<double> limit_;  // per object: it can't move while drift() stays below
  double moved_ = 0;           // objects, so far
  double moved_degrees_ = 0;   // sum of |r| over them

  std::vector<double> weight_to_;  // per cluster, of the object being judged
  std::vector<bool> is_near_;
  std::vector<ClusterId> near_;
  std::vector<Candidate> candidates_;
};

}  // namespace shiftcut

// Local search over features: a cluster is one vector, the sum of its members' z (gram_problem.hpp),
// an affinity one product with it.
//
// The sweep goes by batches. All objects of a batch are judged at once, on all threads, in float32
// with a bound on its error; then they are walked in order, one by one. What an object's affinity to
// cluster k can have changed since is at most |x| times the distance k's vector has gone. So a
// judgement stands while the object's slack (its margin over the second best, by |x|) exceeds the
// way two clusters have gone; where it does not, the object is judged again in double precision.
// Slack is kept from sweep to sweep: an object whose slack still holds is not judged at all. The
// labels are those of the plain loop that judges each object when its turn comes.
#pragma once

#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "core/kernels.hpp"
#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "problem/gram_problem.hpp"
#include "search/slots.hpp"
#include "search/sweep_order.hpp"

namespace shiftcut {

class GramState {
 public:
  GramState(const GramProblem& problem, std::vector<ClusterId> labels,
            std::optional<std::size_t> clusters, RowTruth truth, ThreadTeam& team);

  /// Visits every object once; returns the number of moves.
  std::size_t sweep(const SweepOrder& order, StopCheck& stop);

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return labels_; }

 private:
  // The clusters' vectors when a batch of the last sweep was judged, and how far each has gone from
  // there to the sweep's end.
  struct Epoch {
    std::vector<double> sums;
    std::vector<float> way;
  };
  // How far clusters can have gone since an epoch: the two longest ways.
  struct Reach {
    double longest = 0;
    double second = 0;
    ClusterId longest_cluster = kNoCluster;
  };
  struct Chunk {
    float least_slack = 0;
    bool has_moves = false;
  };
  struct Scratch {
    std::vector<const float*> rows;
    std::vector<std::size_t> positions;
    std::vector<float> products;
  };

  void begin_batch(std::size_t epoch);
  void judge(const SweepOrder& order, std::size_t begin, std::size_t count, std::size_t epoch);
  void judge_chunk(const SweepOrder& order, std::size_t begin, std::size_t first, std::size_t count,
                   std::size_t epoch, Scratch& scratch);
  void decide(std::size_t position, float* products);
  [[nodiscard]] bool opens_cluster(ClusterId to) const;
  std::size_t walk(std::size_t count, std::size_t epoch);
  ClusterId judge_exactly(ObjectId object);
  void move(ObjectId object, ClusterId to, std::size_t epoch);
  void note_way(ClusterId cluster, double way);
  void end_sweep(std::size_t epochs);

  [[nodiscard]] double* sum(ClusterId k) { return &sums_[k * length_]; }
  // |now - then| for cluster k, where `then` may be of a time with fewer clusters.
  [[nodiscard]] double way_from(const std::vector<double>& then, ClusterId k) const;

  const GramProblem& problem_;
  ThreadTeam& team_;
  RowTruth truth_;
  std::size_t length_;
  std::vector<ClusterId> labels_;
  Slots slots_;
  std::vector<double> sums_;

  std::size_t batch_;
  std::vector<float> slack_;          // per object; positive: the judgement of its epoch stands
  std::vector<std::uint16_t> epoch_;  // per object, of the last sweep
  std::vector<Epoch> last_sweep_;
  std::vector<Epoch> this_sweep_;
  std::vector<Reach> reach_;        // per epoch of the last sweep
  std::vector<double> since_start_;  // per cluster, way since this sweep began
  std::vector<double> start_;        // the vectors when it began

  // The current batch.
  PackedColumns<float> packed_;
  double largest_sum_ = 0;
  std::vector<ObjectId> objects_;
  std::vector<ClusterId> targets_;
  std::vector<Chunk> chunks_;
  std::vector<double> way_;  // per cluster, since the batch was judged: an upper bound
  std::vector<std::uint32_t> moves_since_measured_;
  Reach batch_reach_;
  std::vector<Scratch> scratch_;
  std::vector<double> row_;
  std::vector<double> affinities_;
};

}  // namespace shiftcut

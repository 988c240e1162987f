// Local search over features: a cluster is one vector, the sum of its members' z (gram_problem.hpp),
// an affinity one product with it.
//
// The sweep goes by batches. All objects of a batch are judged at once, on all threads, in float32
// with a bound on its error; then they are walked in order, one by one. What an object's affinity to
// cluster k can have changed since is at most |x| times the way k's vector has gone. So a judgement
// stands while the object's slack (its margin over the second best, by |x|) exceeds the ways of two
// clusters; where it does not, the object is judged again in double precision when its turn comes.
// Slack is kept from sweep to sweep: an object whose slack still holds is not judged at all, and a
// run of objects (sweep_order.hpp) whose least slack holds is not even looked at. The labels are
// those of the plain loop that judges each object in its turn.
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

  /// Sums the clusters' vectors anew from the exact rows, which all decisions are made on from here.
  /// What that changes is counted as a way the vectors have gone, so slack stays valid.
  void settle();

  /// The cost, from the clusters' vectors: as exact as these are after settle().
  [[nodiscard]] double cost() const;

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return labels_; }

 private:
  // The two longest ways of clusters.
  struct Reach {
    double longest = 0;
    double second = 0;
    ClusterId longest_cluster = kNoCluster;

    void include(ClusterId k, double way);
    [[nodiscard]] double sum() const { return longest + second; }
  };
  // The clusters' vectors when a batch was judged; after the sweep, the ways they went to its end.
  struct Epoch {
    std::vector<double> sums;
    std::vector<float> way;
  };
  // A run of objects, as of the epoch it was last visited in.
  struct Run {
    float least_slack = 0;  // of its objects
    float debt = 0;         // what their own slacks are still to be lowered by
    std::uint32_t epoch = 0;
  };
  // A run of the current batch.
  struct Visit {
    ObjectId run = 0;
    bool has_moves = false;
    bool opened = false;  // its objects and targets are filled in
  };
  struct Scratch {
    std::vector<const float*> rows;
    std::vector<std::size_t> positions;
    std::vector<float> products;
  };

  [[nodiscard]] std::vector<double> sums_of_rows() const;
  void begin_batch(std::size_t epoch);
  void judge(const SweepOrder& order, std::size_t first_run, std::size_t runs, std::size_t epoch);
  void judge_runs(const SweepOrder& order, std::size_t first_run, std::size_t begin,
                  std::size_t end, std::size_t epoch, Scratch& scratch);
  void open(const SweepOrder& order, std::size_t first_run, std::size_t visit);
  void judge_together(Scratch& scratch);
  void decide(std::size_t position, float* products);
  [[nodiscard]] bool opens_cluster(ClusterId to) const;
  std::size_t walk(const SweepOrder& order, std::size_t first_run, std::size_t runs,
                   std::size_t epoch);
  ClusterId judge_exactly(ObjectId object);
  void move(ObjectId object, ClusterId to, std::size_t epoch);
  void note_way(ClusterId cluster, double way);
  void end_sweep(std::size_t epochs, std::size_t moves);

  [[nodiscard]] std::size_t objects_in(ObjectId run) const;
  [[nodiscard]] double* sum(ClusterId k) { return &sums_[k * length_]; }
  // |now - then| for cluster k, where `then` may be of a time with fewer clusters.
  [[nodiscard]] double way_from(const std::vector<double>& then, ClusterId k) const;
  // How far k can have gone since epoch e of the last sweep.
  [[nodiscard]] double way_since(std::size_t e, ClusterId k) const;

  const GramProblem& problem_;
  ThreadTeam& team_;
  RowTruth truth_;
  std::size_t length_;
  std::vector<ClusterId> labels_;
  Slots slots_;
  std::vector<double> sums_;

  std::size_t run_length_;
  std::size_t batch_runs_;     // runs in a batch
  std::vector<float> slack_;   // per object; positive: the judgement of its run's epoch stands
  std::vector<Run> runs_;
  std::vector<Epoch> last_sweep_;
  std::vector<Epoch> this_sweep_;
  std::vector<Reach> reach_;         // per epoch of the last sweep
  std::vector<double> since_start_;  // per cluster, way since this sweep began
  std::vector<double> start_;        // the vectors when it began

  // The current batch.
  PackedColumns<float> packed_;
  double largest_sum_ = 0;
  std::vector<Visit> visits_;
  std::vector<ObjectId> objects_;
  std::vector<ClusterId> targets_;
  std::vector<double> way_;  // per cluster, since the batch was judged: an upper bound
  std::vector<std::uint32_t> moves_since_measured_;
  Reach batch_reach_;
  std::vector<Scratch> scratch_;
  std::vector<double> row_;
  std::vector<double> affinities_;
};

}  // namespace shiftcut

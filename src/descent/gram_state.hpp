// Local search over features (cluster_vectors.hpp).
//
// The sweep goes by batches. All objects of a batch are judged at once (gram_judge.hpp), on all
// threads; then they are walked in order, one by one. A judgement stands while the object's slack
// exceeds the ways two clusters have gone since; where it does not, the object is judged again in
// double precision when its turn comes. Slack is kept from sweep to sweep: an object whose slack
// still holds is not judged at all, and a run of objects (sweep_order.hpp) whose least slack holds
// is not even looked at. The labels are those of the plain loop that judges each object in its
// turn.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/memory.hpp"
#include "core/partition.hpp"
#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "descent/cluster_vectors.hpp"
#include "descent/gram_judge.hpp"
#include "descent/sweep_order.hpp"
#include "problem/gram_problem.hpp"

namespace shiftcut {

class GramState {
 public:
  GramState(const GramProblem& problem, std::span<const ClusterId> labels,
            std::optional<std::size_t> clusters, RowTruth truth, ThreadTeam& team);

  /// Visits every object once; returns the number of moves.
  std::size_t sweep(const SweepOrder& order, StopCheck& stop);

  /// Sums the clusters' vectors anew from the exact rows, which all decisions are made on from
  /// here. What that changes is counted as a way the vectors have gone, so slack stays valid.
  void settle();

  /// The cost, from the clusters' vectors: as exact as these are after settle().
  [[nodiscard]] double cost() const {
    return clusters_.cost() - problem_.unit() * problem_.pairs().within(labels_);
  }

  [[nodiscard]] std::span<const ClusterId> labels() const { return labels_; }

 private:
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
  // An object of the batch that may move when its turn comes.
  struct Turn {
    ObjectId position = 0;  // in the sweep's order
    ObjectId object = 0;
    ClusterId target = 0;
    bool moves = false;  // unless it is judged again and stays
  };
  // What one thread works with.
  struct Scratch {
    std::vector<ObjectId> low;           // objects with little slack, run by run
    std::vector<std::size_t> run_begin;  // where each run's begin among them
    std::vector<ClusterId> low_targets;
    std::vector<std::size_t> open;   // which of them have none left
    std::vector<ObjectId> to_judge;  // these themselves
    std::vector<ClusterId> targets;  // of these
  };
  using Turns = std::vector<Turn>;  // in order

  void begin_batch();
  void judge_batch(const SweepOrder& order, std::size_t first, std::size_t end, std::size_t epoch);
  void judge_runs(const SweepOrder& order, std::size_t first, std::size_t end, std::size_t epoch,
                  int thread, Turns& turns);
  void prefetch_run(ObjectId run) const;
  void lower_slacks(ObjectId run, std::size_t epoch);
  void pay_debt(ObjectId run);
  void list_turns(const SweepOrder& order, std::size_t r, std::span<const ObjectId> low,
                  std::span<const ClusterId> targets, Turns& turns) const;
  std::size_t walk(const SweepOrder& order, std::size_t end);
  std::size_t walk_all(const SweepOrder& order, std::size_t position, std::size_t end,
                       std::size_t task, std::size_t turn);
  void prefetch_turn(const Turn& turn) const;
  bool take_turn(ObjectId object, ClusterId target);
  ClusterId judge_again(ObjectId object);
  void end_sweep(std::size_t epochs);

  [[nodiscard]] std::size_t first_object(ObjectId run) const { return run * run_length_; }
  [[nodiscard]] std::size_t objects_in(ObjectId run) const;

  const GramProblem& problem_;
  ThreadTeam& team_;
  PagedVector<ClusterId> labels_;
  ClusterVectors clusters_;
  GramJudge judge_;

  std::size_t run_length_;
  std::size_t batches_;       // of the sweep
  PagedVector<float> slack_;  // per object; positive: the judgement of its run's epoch stands
  std::vector<Run> runs_;
  std::vector<Epoch> last_sweep_;
  std::vector<Epoch> this_sweep_;
  std::vector<double> start_;       // the vectors when the sweep began
  std::size_t judged_again_ = 0;    // in this sweep, when their turn came
  std::size_t judged_exactly_ = 0;  // of these
  bool is_first_sweep_ = true;

  // The current batch.
  std::vector<float> drop_;  // [epoch of the last sweep][own cluster]: what slack has gone by now
  std::vector<float> most_;  // [epoch]: the largest of these
  double hint_ = 0;          // turns are listed for slacks up to this
  std::vector<Turns> tasks_;
  std::vector<Scratch> scratch_;
};

}  // namespace shiftcut

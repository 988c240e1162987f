// Local search over features, with clusters as vectors (cluster_vectors.hpp). The labels are those
// of the plain loop that judges each object in its turn, in double precision.
//
// A sweep is cut into batches. All objects of a batch are judged at once, on all threads
// (gram_judge.hpp); then they are visited in order. A judgement holds while its slack exceeds the
// sum of the two largest drifts since; otherwise the object is judged again in its turn. Slack is
// kept from sweep to sweep, lowered by drift: an object with slack left is not judged at all, and a
// run of objects (sweep_order.hpp) whose smallest slack is large enough is not even read.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/memory.hpp"
#include "core/partition.hpp"
#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "descent/features/cluster_vectors.hpp"
#include "descent/features/gram_judge.hpp"
#include "descent/sweep_order.hpp"
#include "problem/gram_problem.hpp"

namespace shiftcut {

class GramState {
 public:
  GramState(const GramProblem& problem, std::span<const ClusterId> labels,
            std::optional<std::size_t> clusters, RowTruth truth, ThreadTeam& team);

  /// Visits every object once; returns the number of moves.
  std::size_t sweep(const SweepOrder& order, StopCheck& stop);

  /// Recomputes the clusters' vectors from the exact rows; all later decisions use these. The
  /// change counts as drift, so slack stays valid.
  void recompute_exactly();

  /// The cost, from the clusters' vectors: accurate after recompute_exactly().
  [[nodiscard]] double cost() const {
    return clusters_.cost() - problem_.unit() * problem_.pairs().within(labels_);
  }

  [[nodiscard]] std::span<const ClusterId> labels() const { return labels_; }

 private:
  // A batch of the last sweep: the clusters' vectors when it was judged and, once the sweep has
  // ended, their drift from there to its end.
  struct Epoch {
    std::vector<double> sums;
    std::vector<float> drift;
  };
  // A run of objects, as of the epoch it was last visited in.
  struct Run {
    float least_slack = 0;    // of its objects
    float pending_slack = 0;  // still to be subtracted from their slacks
    std::uint32_t epoch = 0;
  };
  // An object of the batch that may move in its turn.
  struct Proposal {
    ObjectId position = 0;  // in the sweep's order
    ObjectId object = 0;
    ClusterId target = 0;
    bool moves = false;  // unless judged again
  };
  // Buffers of one thread.
  struct Scratch {
    std::vector<ObjectId> low;           // objects with little slack, run by run
    std::vector<std::size_t> run_begin;  // where each run begins among them
    std::vector<ClusterId> low_targets;
    std::vector<std::size_t> undecided;  // indices among `low` of objects with no slack left
    std::vector<ObjectId> to_judge;      // these objects
    std::vector<ClusterId> targets;      // and their best clusters
  };
  using Proposals = std::vector<Proposal>;  // in the order of the sweep

  void begin_batch();
  void judge_batch(const SweepOrder& order, std::size_t first, std::size_t end, std::size_t epoch);
  void judge_runs(const SweepOrder& order, std::size_t first, std::size_t end, std::size_t epoch,
                  int thread, Proposals& proposals);
  void prefetch_run(ObjectId run) const;
  void lower_slacks(ObjectId run, std::size_t epoch);
  void apply_pending_slack(ObjectId run);
  void list_proposals(const SweepOrder& order, std::size_t r, std::span<const ObjectId> low,
                      std::span<const ClusterId> targets, Proposals& proposals) const;
  std::size_t visit_proposals(const SweepOrder& order, std::size_t end);
  std::size_t visit_remaining(const SweepOrder& order, std::size_t position, std::size_t end,
                              std::size_t task, std::size_t next);
  void prefetch_proposal(const Proposal& proposal) const;
  bool visit(ObjectId object, ClusterId target);
  ClusterId rejudge(ObjectId object);
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
  PagedVector<float> slack_;  // per object; positive: the judgement as of its run's epoch holds
  std::vector<Run> runs_;
  std::vector<Epoch> last_sweep_;
  std::vector<Epoch> this_sweep_;
  std::vector<double> start_;  // the clusters' vectors when the sweep began
  std::size_t rejudged_ = 0;   // objects judged again in this sweep
  bool is_first_sweep_ = true;

  // The current batch.
  std::vector<float> slack_loss_;     // [epoch of the last sweep][own cluster]: slack lost since
  std::vector<float> largest_loss_;   // [epoch]: the largest of any cluster
  double slack_limit_ = 0;            // proposals are listed for slacks up to this
  std::vector<Proposals> proposals_;  // by task
  std::vector<Scratch> scratch_;
};

}  // namespace shiftcut

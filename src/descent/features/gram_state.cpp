#include "descent/features/gram_state.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "descent/tuning.hpp"

namespace shiftcut {

namespace {

using namespace descent_tuning;

// Every batch keeps a copy of the clusters' vectors, which must stay small beside the rows.
std::size_t max_batches(std::size_t n, std::size_t clusters) {
  const std::size_t by_memory =
      std::clamp<std::size_t>(n / (kRowsPerBatchCopy * clusters), 1, kMaxBatches);
  return std::min(by_memory, std::max<std::size_t>(1, n / kMinBatchSize));
}

}  // namespace

GramState::GramState(const GramProblem& problem, std::span<const ClusterId> labels,
                     std::optional<std::size_t> clusters, RowTruth truth, ThreadTeam& team)
    : problem_(problem),
      team_(team),
      labels_(labels.begin(), labels.end()),
      clusters_(problem, labels_, clusters, truth, team),
      judge_(problem, clusters_, team.threads()),
      run_length_(SweepOrder::run_length(problem.size())),
      batches_(max_batches(problem.size(), clusters_.count())),
      slack_(problem.size(), kUnknownSlack),
      runs_((problem.size() + run_length_ - 1) / run_length_, Run{kUnknownSlack, 0, 0}),
      scratch_(static_cast<std::size_t>(team.threads())) {}

std::size_t GramState::objects_in(ObjectId run) const {
  return std::min(run_length_, labels_.size() - first_object(run));
}

std::size_t GramState::sweep(const SweepOrder& order, StopCheck& stop) {
  start_ = clusters_.sums();
  rejudged_ = 0;
  std::size_t moves = 0;
  std::size_t epoch = 0;
  const std::size_t runs = (runs_.size() + batches_ - 1) / batches_;
  for (std::size_t first = 0; first < runs_.size() && !stop.should_stop(); first += runs, ++epoch) {
    const std::size_t end = std::min(first + runs, runs_.size());
    begin_batch();
    judge_batch(order, first, end, epoch);
    moves += visit_proposals(order, end);
    if (this_sweep_.size() <= epoch) {
      this_sweep_.emplace_back();
    }
    clusters_.swap_batch_start(this_sweep_[epoch].sums);
  }
  end_sweep(epoch);
  return moves;
}

// Fixes the vectors the batch is judged against, and computes how much slack an object has lost to
// drift since the last sweep, by its epoch there and its cluster.
void GramState::begin_batch() {
  slack_limit_ = kSlackMargin * clusters_.top_drifts().sum();
  clusters_.begin_batch();
  judge_.begin_batch();
  const std::size_t count = clusters_.count();
  std::vector<double> since_start(count);
  for (ClusterId k = 0; k < count; ++k) {
    since_start[k] = clusters_.drift_since(start_, k);
  }
  slack_loss_.resize(last_sweep_.size() * count);
  largest_loss_.resize(last_sweep_.size());
  for (std::size_t e = 0; e < last_sweep_.size(); ++e) {
    const std::vector<float>& drift = last_sweep_[e].drift;
    const auto drift_of = [&](ClusterId k) {
      return since_start[k] + (k < drift.size() ? static_cast<double>(drift[k]) : 0.0);
    };
    TopDrifts drifts;
    for (ClusterId k = 0; k < count; ++k) {
      drifts.include(k, drift_of(k));
    }
    for (ClusterId k = 0; k < count; ++k) {
      slack_loss_[e * count + k] = round_up(drift_of(k) + drifts.largest_except(k));
    }
    largest_loss_[e] = round_up(drifts.sum());
  }
}

void GramState::judge_batch(const SweepOrder& order, std::size_t first, std::size_t end,
                            std::size_t epoch) {
  const std::size_t objects =
      std::clamp<std::size_t>((end - first) * run_length_ / kTasksPerBatch, kMinTask, kMaxTask);
  const std::size_t runs_per_task = std::max<std::size_t>(1, objects / run_length_);
  proposals_.resize((end - first + runs_per_task - 1) / runs_per_task);
  team_.for_each(proposals_.size(), [&](std::size_t t, int worker) {
    const std::size_t begin = first + t * runs_per_task;
    judge_runs(order, begin, std::min(end, begin + runs_per_task), epoch, worker, proposals_[t]);
  });
}

void GramState::judge_runs(const SweepOrder& order, std::size_t first, std::size_t end,
                           std::size_t epoch, int thread, Proposals& proposals) {
  Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
  scratch.low.clear();
  scratch.low_targets.clear();
  scratch.run_begin.clear();
  scratch.undecided.clear();
  scratch.to_judge.clear();
  const float low_at = round_up(slack_limit_);
  for (std::size_t r = first; r < end; ++r) {
    if (r + kRunsAhead < end) {
      prefetch_run(order.run(r + kRunsAhead));
    }
    const ObjectId run = order.run(r);
    const std::size_t begin = scratch.low.size();
    scratch.run_begin.push_back(begin);
    lower_slacks(run, epoch);
    if (runs_[run].least_slack > low_at) {
      continue;
    }
    apply_pending_slack(run);
    const auto first_one = static_cast<ObjectId>(first_object(run));
    const std::size_t count = objects_in(run);
    scratch.low.resize(begin + count);
    const std::size_t low =
        list_at_most(&slack_[first_one], count, low_at, first_one, &scratch.low[begin]);
    scratch.low.resize(begin + low);
    for (std::size_t i = begin; i < begin + low; ++i) {
      const ObjectId object = scratch.low[i];
      scratch.low_targets.push_back(labels_[object]);
      if (!(slack_[object] > 0)) {
        scratch.undecided.push_back(i);
        scratch.to_judge.push_back(object);
        judge_.prefetch(object);
      }
    }
  }
  scratch.run_begin.push_back(scratch.low.size());

  scratch.targets.resize(scratch.to_judge.size());
  judge_.judge(scratch.to_judge, labels_, thread, scratch.targets.data(), slack_.data());
  for (std::size_t i = 0; i < scratch.undecided.size(); ++i) {
    scratch.low_targets[scratch.undecided[i]] = scratch.targets[i];
  }

  proposals.clear();
  for (std::size_t r = first; r < end; ++r) {
    const std::size_t begin = scratch.run_begin[r - first];
    const std::size_t count = scratch.run_begin[r - first + 1] - begin;
    if (count > 0) {
      const ObjectId run = order.run(r);
      runs_[run].least_slack = minimum(&slack_[first_object(run)], objects_in(run));
      list_proposals(order, r, std::span(scratch.low).subspan(begin, count),
                     std::span(scratch.low_targets).subspan(begin, count), proposals);
    }
  }
}

// Runs come in random order, which hardware prefetchers cannot follow.
void GramState::prefetch_run(ObjectId run) const {
  constexpr std::size_t kLine = 64 / sizeof(float);
  __builtin_prefetch(&runs_[run]);
  const float* slack = &slack_[first_object(run)];
  const ClusterId* labels = &labels_[first_object(run)];
  for (std::size_t i = 0; i < run_length_; i += kLine) {
    __builtin_prefetch(slack + i, 1);
    __builtin_prefetch(labels + i);
  }
}

// Lowers the slacks of a run by the drift since its last epoch. While the smallest can bear the
// largest loss, only that is noted as pending.
void GramState::lower_slacks(ObjectId r, std::size_t epoch) {
  Run& run = runs_[r];
  const std::size_t last = std::exchange(run.epoch, static_cast<std::uint32_t>(epoch));
  if (last_sweep_.empty()) {
    return;
  }
  if (run.least_slack > largest_loss_[last]) {
    run.least_slack = round_down(static_cast<double>(run.least_slack - largest_loss_[last]));
    run.pending_slack = round_up(static_cast<double>(run.pending_slack + largest_loss_[last]));
    return;
  }
  const std::size_t o = first_object(r);
  run.least_slack = lower_slack(&slack_[o], &labels_[o], &slack_loss_[last * clusters_.count()],
                                std::exchange(run.pending_slack, 0.0F), objects_in(r));
}

void GramState::apply_pending_slack(ObjectId r) {
  const float pending_slack = std::exchange(runs_[r].pending_slack, 0.0F);
  if (pending_slack > 0) {
    for (std::size_t o = first_object(r); o < first_object(r) + objects_in(r); ++o) {
      slack_[o] = round_down(static_cast<double>(slack_[o] - pending_slack));
    }
  }
}

// Lists the objects of a run that may move in their turn, in order: those judged to move, and those
// whose slack the moves of this batch may use up.
void GramState::list_proposals(const SweepOrder& order, std::size_t r,
                               std::span<const ObjectId> low, std::span<const ClusterId> targets,
                               Proposals& proposals) const {
  static_assert(SweepOrder::kLongestRun <= 64, "a run is a bit mask");
  const SweepOrder::Places places = order.places(r);
  std::uint64_t taken = 0;
  std::array<std::size_t, SweepOrder::kLongestRun> at;
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (targets[i] != labels_[low[i]] || !(static_cast<double>(slack_[low[i]]) > slack_limit_)) {
      const std::size_t place = places.place(low[i]);
      taken |= std::uint64_t{1} << place;
      at[place] = i;
    }
  }
  for (; taken != 0; taken &= taken - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(taken));
    const ObjectId object = low[at[place]];
    const ClusterId target = targets[at[place]];
    const auto position = static_cast<ObjectId>(r * run_length_ + place);
    proposals.push_back({position, object, target, target != labels_[object]});
  }
}

std::size_t GramState::visit_proposals(const SweepOrder& order, std::size_t end) {
  std::size_t moves = 0;
  for (std::size_t t = 0; t < proposals_.size(); ++t) {
    for (std::size_t i = 0; i < proposals_[t].size(); ++i) {
      const Proposal& proposal = proposals_[t][i];
      if (i + kProposalsAhead < proposals_[t].size()) {
        prefetch_proposal(proposals_[t][i + kProposalsAhead]);
      }
      moves += visit(proposal.object, proposal.target) ? 1 : 0;
      if (clusters_.top_drifts().sum() > slack_limit_) {
        return moves + visit_remaining(order, proposal.position + 1, end, t, i + 1);
      }
    }
  }
  return moves;
}

// A row that is to move is fetched as a whole.
void GramState::prefetch_proposal(const Proposal& proposal) const {
  __builtin_prefetch(&slack_[proposal.object], 1);
  __builtin_prefetch(&labels_[proposal.object], 1);
  if (proposal.moves) {
    problem_.prefetch(proposal.object);
  } else {
    judge_.prefetch(proposal.object);
  }
}

// Visits the rest of the batch, once clusters have drifted further than proposals were listed for.
std::size_t GramState::visit_remaining(const SweepOrder& order, std::size_t position,
                                       std::size_t end, std::size_t task, std::size_t next) {
  std::size_t moves = 0;
  std::vector<ObjectId> in_order(run_length_);
  for (std::size_t r = position / run_length_; r < end; ++r) {
    const ObjectId run = order.run(r);
    const std::size_t run_end = r * run_length_ + objects_in(run);
    while (task < proposals_.size() && next == proposals_[task].size()) {
      ++task;
      next = 0;
    }
    const bool has_proposal = task < proposals_.size() && proposals_[task][next].position < run_end;
    if (!has_proposal &&
        static_cast<double>(runs_[run].least_slack) > clusters_.top_drifts().sum()) {
      continue;
    }
    apply_pending_slack(run);
    order.fill(r * run_length_, objects_in(run), in_order.data());
    for (std::size_t p = std::max(position, r * run_length_); p < run_end; ++p) {
      const ObjectId object = in_order[p - r * run_length_];
      ClusterId target = labels_[object];
      if (task < proposals_.size() && next < proposals_[task].size() &&
          proposals_[task][next].position == p) {
        target = proposals_[task][next++].target;
      }
      moves += visit(object, target) ? 1 : 0;
    }
  }
  return moves;
}

// Moves the object to its target, judging it again if its slack is used up. Returns whether it
// moved.
bool GramState::visit(ObjectId object, ClusterId target) {
  const ClusterId own = labels_[object];
  const auto pending_slack = static_cast<double>(runs_[object / run_length_].pending_slack);
  if (!(static_cast<double>(slack_[object]) - pending_slack > clusters_.top_drifts().sum())) {
    target = rejudge(object);
  }
  if (target == own) {
    return false;
  }
  labels_[object] = target;
  clusters_.move(object, own, target);
  return true;
}

// Slack is stored as of the beginning of the batch.
ClusterId GramState::rejudge(ObjectId object) {
  ++rejudged_;
  const BestMove best = clusters_.best_move_of(object, labels_);
  const auto norm = static_cast<double>(problem_.norm(object));
  double slack = 0;
  if (clusters_.leaves_another_empty(best.to) || problem_.pairs().touch(object)) {
    slack = static_cast<double>(kUnknownSlack);
  } else {
    slack = norm > 0 ? (best.margin - problem_.tolerance()) / norm
                     : static_cast<double>(kInfiniteSlack);
  }
  slack_[object] = round_down(slack - clusters_.top_drifts().sum());
  Run& run = runs_[object / run_length_];
  run.least_slack = std::min(run.least_slack, slack_[object]);
  return best.to;
}

void GramState::end_sweep(std::size_t epochs) {
  this_sweep_.resize(epochs);
  team_.for_each(epochs, [&](std::size_t e, int) {
    Epoch& epoch = this_sweep_[e];
    epoch.drift.resize(clusters_.count());
    for (ClusterId k = 0; k < epoch.drift.size(); ++k) {
      epoch.drift[k] = round_up(clusters_.drift_since(epoch.sums, k));
    }
  });
  std::swap(this_sweep_, last_sweep_);
  // The number of objects judged twice is inversely proportional to the number of batches: balance
  // the cost of both.
  const double expected = static_cast<double>(rejudged_) /
                          (std::exchange(is_first_sweep_, false) ? kFirstSweepRejudged : 1);
  const double balanced = std::sqrt(static_cast<double>(epochs) * expected / kBatchCost);
  batches_ = std::clamp<std::size_t>(static_cast<std::size_t>(balanced), 1,
                                     max_batches(labels_.size(), clusters_.count()));
}

void GramState::recompute_exactly() {
  // An exact row differs from its float32 copy by at most |x| / 2^24, so its product with a vector
  // does by the same relative amount and its affinity to itself by twice that.
  const double of_rows = 0x1p-23 * (clusters_.largest_norm() + problem_.largest_norm());
  const std::vector<double> before = clusters_.sums();
  clusters_.recompute_exactly(labels_, team_);
  for (ClusterId k = 0; k < clusters_.count(); ++k) {
    const double drift = clusters_.drift_since(before, k) + of_rows;
    for (Epoch& epoch : last_sweep_) {
      epoch.drift.resize(clusters_.count(), 0);
      epoch.drift[k] = round_up(static_cast<double>(epoch.drift[k]) + drift);
    }
  }
}

}  // namespace shiftcut

#include "descent/gram_state.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace shiftcut {

namespace {

constexpr std::size_t kMostBatches = 256;
constexpr std::size_t kLeastInABatch = 256;
constexpr std::size_t kTasks = 8;          // of a batch, if neither too small nor too large
constexpr std::size_t kSmallestTask = 48;  // objects
constexpr std::size_t kLargestTask = 1024;
constexpr std::size_t kAhead = 4;       // runs fetched ahead
constexpr std::size_t kTurnsAhead = 8;  // turns fetched ahead

// As many batches as keep their copies of the clusters' vectors small beside the data.
std::size_t most_batches(std::size_t n, std::size_t clusters) {
  const std::size_t by_memory = std::clamp<std::size_t>(n / (40 * clusters), 1, kMostBatches);
  return std::min(by_memory, std::max<std::size_t>(1, n / kLeastInABatch));
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
      batches_(most_batches(problem.size(), clusters_.count())),
      slack_(problem.size(), kUnknownSlack),
      runs_((problem.size() + run_length_ - 1) / run_length_, Run{kUnknownSlack, 0, 0}),
      scratch_(static_cast<std::size_t>(team.threads())) {}

std::size_t GramState::objects_in(ObjectId run) const {
  return std::min(run_length_, labels_.size() - first_object(run));
}

std::size_t GramState::sweep(const SweepOrder& order, StopCheck& stop) {
  start_ = clusters_.sums();
  judged_exactly_ = 0;
  judged_again_ = 0;
  std::size_t moves = 0;
  std::size_t epoch = 0;
  const std::size_t runs = (runs_.size() + batches_ - 1) / batches_;
  for (std::size_t first = 0; first < runs_.size() && !stop.should_stop(); first += runs, ++epoch) {
    const std::size_t end = std::min(first + runs, runs_.size());
    begin_batch();
    judge_batch(order, first, end, epoch);
    moves += walk(order, end);
    if (this_sweep_.size() <= epoch) {
      this_sweep_.emplace_back();
    }
    clusters_.swap_batch_start(this_sweep_[epoch].sums);
  }
  end_sweep(epoch);
  return moves;
}

// The clusters as the batch will be judged against, and what their ways since last sweep have cost
// an object's slack, by its epoch there and its cluster.
void GramState::begin_batch() {
  hint_ = 1.5 * clusters_.reach().sum();
  clusters_.begin_batch();
  judge_.begin_batch();
  const std::size_t count = clusters_.count();
  std::vector<double> since_start(count);
  for (ClusterId k = 0; k < count; ++k) {
    since_start[k] = clusters_.way_from(start_, k);
  }
  drop_.resize(last_sweep_.size() * count);
  most_.resize(last_sweep_.size());
  for (std::size_t e = 0; e < last_sweep_.size(); ++e) {
    const std::vector<float>& way = last_sweep_[e].way;
    const auto way_of = [&](ClusterId k) {
      return since_start[k] + (k < way.size() ? static_cast<double>(way[k]) : 0.0);
    };
    Reach reach;
    for (ClusterId k = 0; k < count; ++k) {
      reach.include(k, way_of(k));
    }
    for (ClusterId k = 0; k < count; ++k) {
      drop_[e * count + k] = round_up(way_of(k) + reach.beside(k));
    }
    most_[e] = round_up(reach.sum());
  }
}

void GramState::judge_batch(const SweepOrder& order, std::size_t first, std::size_t end,
                            std::size_t epoch) {
  const std::size_t objects =
      std::clamp<std::size_t>((end - first) * run_length_ / kTasks, kSmallestTask, kLargestTask);
  const std::size_t runs_a_task = std::max<std::size_t>(1, objects / run_length_);
  tasks_.resize((end - first + runs_a_task - 1) / runs_a_task);
  team_.for_each(tasks_.size(), [&](std::size_t t, int worker) {
    const std::size_t begin = first + t * runs_a_task;
    judge_runs(order, begin, std::min(end, begin + runs_a_task), epoch, worker, tasks_[t]);
  });
}

void GramState::judge_runs(const SweepOrder& order, std::size_t first, std::size_t end,
                           std::size_t epoch, int thread, Turns& turns) {
  Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
  scratch.low.clear();
  scratch.low_targets.clear();
  scratch.run_begin.clear();
  scratch.open.clear();
  scratch.to_judge.clear();
  const float low_at = round_up(hint_);
  for (std::size_t r = first; r < end; ++r) {
    if (r + kAhead < end) {
      prefetch_run(order.run(r + kAhead));
    }
    const ObjectId run = order.run(r);
    const std::size_t begin = scratch.low.size();
    scratch.run_begin.push_back(begin);
    lower_slacks(run, epoch);
    if (runs_[run].least_slack > low_at) {
      continue;
    }
    pay_debt(run);
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
        scratch.open.push_back(i);
        scratch.to_judge.push_back(object);
        judge_.prefetch(object);
      }
    }
  }
  scratch.run_begin.push_back(scratch.low.size());

  scratch.targets.resize(scratch.to_judge.size());
  judge_.judge(scratch.to_judge, labels_, thread, scratch.targets.data(), slack_.data());
  for (std::size_t i = 0; i < scratch.open.size(); ++i) {
    scratch.low_targets[scratch.open[i]] = scratch.targets[i];
  }

  turns.clear();
  for (std::size_t r = first; r < end; ++r) {
    const std::size_t begin = scratch.run_begin[r - first];
    const std::size_t count = scratch.run_begin[r - first + 1] - begin;
    if (count > 0) {
      const ObjectId run = order.run(r);
      runs_[run].least_slack = minimum(&slack_[first_object(run)], objects_in(run));
      list_turns(order, r, std::span(scratch.low).subspan(begin, count),
                 std::span(scratch.low_targets).subspan(begin, count), turns);
    }
  }
}

// Runs come in random order: the processor can't guess what is read next.
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

// Lowers the slacks of a run by what has happened since its last epoch: all together where the
// least of them can bear it.
void GramState::lower_slacks(ObjectId r, std::size_t epoch) {
  Run& run = runs_[r];
  const std::size_t last = std::exchange(run.epoch, static_cast<std::uint32_t>(epoch));
  if (last_sweep_.empty()) {
    return;
  }
  if (run.least_slack > most_[last]) {
    run.least_slack = round_down(static_cast<double>(run.least_slack - most_[last]));
    run.debt = round_up(static_cast<double>(run.debt + most_[last]));
    return;
  }
  const std::size_t o = first_object(r);
  run.least_slack = lower_slack(&slack_[o], &labels_[o], &drop_[last * clusters_.count()],
                                std::exchange(run.debt, 0.0F), objects_in(r));
}

void GramState::pay_debt(ObjectId r) {
  const float debt = std::exchange(runs_[r].debt, 0.0F);
  if (debt > 0) {
    for (std::size_t o = first_object(r); o < first_object(r) + objects_in(r); ++o) {
      slack_[o] = round_down(static_cast<double>(slack_[o] - debt));
    }
  }
}

// The objects of a run that may move when their turn comes: those that are to, and those whose
// slack the moves of the batch may use up.
void GramState::list_turns(const SweepOrder& order, std::size_t r, std::span<const ObjectId> low,
                           std::span<const ClusterId> targets, Turns& turns) const {
  static_assert(SweepOrder::kLongestRun <= 64, "the places of a run are bits of a number");
  const SweepOrder::Places places = order.places(r);
  std::uint64_t taken = 0;
  std::array<std::size_t, SweepOrder::kLongestRun> at;
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (targets[i] != labels_[low[i]] || !(static_cast<double>(slack_[low[i]]) > hint_)) {
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
    turns.push_back({position, object, target, target != labels_[object]});
  }
}

std::size_t GramState::walk(const SweepOrder& order, std::size_t end) {
  std::size_t moves = 0;
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    for (std::size_t i = 0; i < tasks_[t].size(); ++i) {
      const Turn& turn = tasks_[t][i];
      if (i + kTurnsAhead < tasks_[t].size()) {
        prefetch_turn(tasks_[t][i + kTurnsAhead]);
      }
      moves += take_turn(turn.object, turn.target) ? 1 : 0;
      if (clusters_.reach().sum() > hint_) {
        return moves + walk_all(order, turn.position + 1, end, t, i + 1);
      }
    }
  }
  return moves;
}

// All of the row if it is known to move.
void GramState::prefetch_turn(const Turn& turn) const {
  __builtin_prefetch(&slack_[turn.object], 1);
  __builtin_prefetch(&labels_[turn.object], 1);
  if (turn.moves) {
    problem_.prefetch(turn.object);
  } else {
    judge_.prefetch(turn.object);
  }
}

// The rest of the batch, once clusters have gone further than turns were listed for.
std::size_t GramState::walk_all(const SweepOrder& order, std::size_t position, std::size_t end,
                                std::size_t task, std::size_t turn) {
  std::size_t moves = 0;
  std::vector<ObjectId> in_order(run_length_);
  for (std::size_t r = position / run_length_; r < end; ++r) {
    const ObjectId run = order.run(r);
    const std::size_t run_end = r * run_length_ + objects_in(run);
    while (task < tasks_.size() && turn == tasks_[task].size()) {
      ++task;
      turn = 0;
    }
    const bool has_turn = task < tasks_.size() && tasks_[task][turn].position < run_end;
    if (!has_turn && static_cast<double>(runs_[run].least_slack) > clusters_.reach().sum()) {
      continue;
    }
    pay_debt(run);
    order.fill(r * run_length_, objects_in(run), in_order.data());
    for (std::size_t p = std::max(position, r * run_length_); p < run_end; ++p) {
      const ObjectId object = in_order[p - r * run_length_];
      ClusterId target = labels_[object];
      if (task < tasks_.size() && turn < tasks_[task].size() && tasks_[task][turn].position == p) {
        target = tasks_[task][turn++].target;
      }
      moves += take_turn(object, target) ? 1 : 0;
    }
  }
  return moves;
}

// Moves the object where it is to go, judging it again if its slack is used up; whether it moved.
bool GramState::take_turn(ObjectId object, ClusterId target) {
  const ClusterId own = labels_[object];
  const auto debt = static_cast<double>(runs_[object / run_length_].debt);
  if (!(static_cast<double>(slack_[object]) - debt > clusters_.reach().sum())) {
    target = judge_again(object);
  }
  if (target == own) {
    return false;
  }
  labels_[object] = target;
  clusters_.move(object, own, target);
  judge_.move(object, own, target);
  return true;
}

// Slack is kept as of the batch's beginning, which it is measured from.
ClusterId GramState::judge_again(ObjectId object) {
  ClusterId target = 0;
  double slack = 0;
  ++judged_again_;
  if (!judge_.judge_now(object, labels_[object], target, slack)) {
    const BestMove best = clusters_.best_move_of(object, labels_);
    target = best.to;
    ++judged_exactly_;
    const auto norm = static_cast<double>(problem_.norm(object));
    if (clusters_.leaves_another_empty(target) || problem_.pairs().touch(object)) {
      slack = static_cast<double>(kUnknownSlack);
    } else {
      slack = norm > 0 ? (best.margin - problem_.tolerance()) / norm
                       : static_cast<double>(kEndlessSlack);
    }
  }
  slack_[object] = round_down(slack - clusters_.reach().sum());
  Run& run = runs_[object / run_length_];
  run.least_slack = std::min(run.least_slack, slack_[object]);
  return target;
}

void GramState::end_sweep(std::size_t epochs) {
  this_sweep_.resize(epochs);
  team_.for_each(epochs, [&](std::size_t e, int) {
    Epoch& epoch = this_sweep_[e];
    epoch.way.resize(clusters_.count());
    for (ClusterId k = 0; k < epoch.way.size(); ++k) {
      epoch.way[k] = round_up(clusters_.way_from(epoch.sums, k));
    }
  });
  std::swap(this_sweep_, last_sweep_);
  judge_.end_sweep(team_);
  // Objects judged twice are as many as batches are few; a batch costs what about 64 of them do, or
  // eight times that if coordinates tell. After the first sweep, from random labels, far fewer are
  // to be expected.
  const double by_coordinates = static_cast<double>(judged_again_ - judged_exactly_) / 8;
  const double expected = (static_cast<double>(judged_exactly_) + by_coordinates) /
                          (std::exchange(is_first_sweep_, false) ? 8 : 1);
  const double balanced = std::sqrt(static_cast<double>(epochs) * expected / 64);
  batches_ = std::clamp<std::size_t>(static_cast<std::size_t>(balanced), 1,
                                     most_batches(labels_.size(), clusters_.count()));
}

void GramState::settle() {
  // An exact row differs from its float32 copy by at most |x| / 2^24, its product with a vector
  // accordingly, its affinity to itself by twice as much.
  const double of_rows = 0x1p-23 * (clusters_.largest() + problem_.largest_norm());
  const std::vector<double> before = clusters_.sums();
  clusters_.settle(labels_, team_);
  for (ClusterId k = 0; k < clusters_.count(); ++k) {
    const double way = clusters_.way_from(before, k) + of_rows;
    for (Epoch& epoch : last_sweep_) {
      epoch.way.resize(clusters_.count(), 0);
      epoch.way[k] = round_up(static_cast<double>(epoch.way[k]) + way);
    }
  }
}

}  // namespace shiftcut

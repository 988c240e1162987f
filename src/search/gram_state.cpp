#include "search/gram_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "search/best_move.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kMostEpochs = 128;
constexpr std::size_t kSmallestBatch = 256;
constexpr std::size_t kLargestBatch = std::size_t{1} << 18;
constexpr std::size_t kMovesPerBatch = 64;  // so many moves are worth a batch of their own
constexpr std::size_t kTask = 512;          // objects one task judges
constexpr std::uint32_t kMeasureEvery = 8;  // moves of a cluster between exact ways
constexpr float kUnknown = -std::numeric_limits<float>::infinity();
constexpr float kForever = std::numeric_limits<float>::infinity();

// Floats not above and not below the given value.
float round_down(double value) { return static_cast<float>(value - 1e-6 * std::abs(value)); }
float round_up(double value) { return static_cast<float>(value + 1e-6 * std::abs(value)); }

// Runs in a batch, if `moves` are expected in the sweep. Batches are as many as there are moves to
// keep apart, and as keep their copies of the clusters' vectors small beside the data.
std::size_t runs_in_batch(std::size_t n, std::size_t run_length, std::size_t clusters,
                          std::size_t moves) {
  const std::size_t affordable = std::clamp<std::size_t>(n / (40 * clusters), 1, kMostEpochs);
  const std::size_t epochs = std::clamp<std::size_t>(moves / kMovesPerBatch, 1, affordable);
  const std::size_t objects = std::clamp((n + epochs - 1) / epochs, kSmallestBatch, kLargestBatch);
  return (objects + run_length - 1) / run_length;
}

}  // namespace

void GramState::Reach::include(ClusterId k, double way) {
  if (way > longest) {
    second = longest;
    longest = way;
    longest_cluster = k;
  } else if (way > second) {
    second = way;
  }
}

GramState::GramState(const GramProblem& problem, std::vector<ClusterId> labels,
                     std::optional<std::size_t> clusters, RowTruth truth, ThreadTeam& team)
    : problem_(problem),
      team_(team),
      truth_(truth),
      length_(problem.length()),
      labels_(std::move(labels)),
      slots_(labels_, clusters),
      run_length_(SweepOrder::run_length(problem.size())),
      batch_runs_(runs_in_batch(problem.size(), run_length_, slots_.count(), problem.size())),
      slack_(problem.size(), kUnknown),
      runs_((problem.size() + run_length_ - 1) / run_length_, Run{kUnknown, 0, 0}),
      scratch_(static_cast<std::size_t>(team.threads())),
      row_(length_) {
  sums_ = sums_of_rows();
}

std::vector<double> GramState::sums_of_rows() const {
  const auto add = [&](std::size_t begin, std::size_t end, double* sums) {
    std::vector<double> row(length_);
    for (std::size_t i = begin; i < end; ++i) {
      const auto object = static_cast<ObjectId>(i);
      problem_.x_row(object, truth_, row.data());
      problem_.x_to_z(object, row.data());
      add_scaled(sums + labels_[i] * length_, 1, row.data(), length_);
    }
    if (truth_ == RowTruth::exact) {
      problem_.release_pages();
    }
  };
  return sum_over_row_chunks(problem_.size(), length_, slots_.count() * length_, team_, add);
}

std::size_t GramState::sweep(const SweepOrder& order, StopCheck& stop) {
  start_ = sums_;
  visits_.resize(batch_runs_);
  objects_.resize(batch_runs_ * run_length_);
  targets_.resize(batch_runs_ * run_length_);
  std::size_t moves = 0;
  std::size_t epoch = 0;
  for (std::size_t first = 0; first < runs_.size() && !stop.should_stop();
       first += batch_runs_, ++epoch) {
    const std::size_t runs = std::min(batch_runs_, runs_.size() - first);
    begin_batch(epoch);
    judge(order, first, runs, epoch);
    moves += walk(order, first, runs, epoch);
  }
  end_sweep(epoch, moves);
  return moves;
}

// The clusters as the batch will be judged against, and what has become of those of last sweep.
void GramState::begin_batch(std::size_t epoch) {
  const std::size_t clusters = slots_.count();
  sums_.resize(clusters * length_, 0.0);
  if (this_sweep_.size() <= epoch) {
    this_sweep_.emplace_back();
  }
  this_sweep_[epoch].sums = sums_;
  way_.assign(clusters, 0.0);
  moves_since_measured_.assign(clusters, 0);
  batch_reach_ = {};

  since_start_.resize(clusters);
  double largest = 0;
  for (ClusterId k = 0; k < clusters; ++k) {
    since_start_[k] = way_from(start_, k);
    largest = std::max(largest, dot(sum(k), sum(k), length_));
  }
  largest_sum_ = std::sqrt(largest);
  reach_.assign(last_sweep_.size(), {});
  for (std::size_t e = 0; e < reach_.size(); ++e) {
    for (ClusterId k = 0; k < clusters; ++k) {
      reach_[e].include(k, way_since(e, k));
    }
  }

  packed_.resize(length_, clusters);
  const double factor = largest_sum_ > 0 ? 1 / largest_sum_ : 0;
  for (ClusterId k = 0; k < clusters; ++k) {
    packed_.set(k, sum(k), factor);
  }
}

double GramState::way_from(const std::vector<double>& then, ClusterId k) const {
  const double* now = &sums_[k * length_];
  if ((k + 1) * length_ > then.size()) {
    return std::sqrt(dot(now, now, length_));  // it did not exist: empty
  }
  return std::sqrt(squared_distance(now, &then[k * length_], length_));
}

double GramState::way_since(std::size_t e, ClusterId k) const {
  const std::vector<float>& way = last_sweep_[e].way;
  return since_start_[k] + (k < way.size() ? static_cast<double>(way[k]) : 0.0);
}

std::size_t GramState::objects_in(ObjectId run) const {
  return std::min(run_length_, labels_.size() - run * run_length_);
}

void GramState::judge(const SweepOrder& order, std::size_t first_run, std::size_t runs,
                      std::size_t epoch) {
  const std::size_t runs_a_task = std::max<std::size_t>(1, kTask / run_length_);
  const std::size_t tasks = (runs + runs_a_task - 1) / runs_a_task;
  team_.for_each(tasks, [&](std::size_t task, int worker) {
    judge_runs(order, first_run, task * runs_a_task, std::min(runs, (task + 1) * runs_a_task),
               epoch, scratch_[static_cast<std::size_t>(worker)]);
  });
}

void GramState::judge_runs(const SweepOrder& order, std::size_t first_run, std::size_t begin,
                           std::size_t end, std::size_t epoch, Scratch& scratch) {
  scratch.rows.clear();
  scratch.positions.clear();
  for (std::size_t v = begin; v < end; ++v) {
    Visit& visit = visits_[v];
    visit = {order.run(first_run + v), false, false};
    Run& run = runs_[visit.run];
    const std::size_t last_epoch = std::exchange(run.epoch, static_cast<std::uint32_t>(epoch));
    if (run.least_slack > 0) {
      const float reach = round_up(reach_[last_epoch].sum());
      if (run.least_slack > reach) {
        run.least_slack = round_down(static_cast<double>(run.least_slack - reach));
        run.debt = round_up(static_cast<double>(run.debt + reach));
        continue;
      }
    }
    open(order, first_run, v);
    for (std::size_t i = 0; i < objects_in(visit.run); ++i) {
      const std::size_t position = v * run_length_ + i;
      const ObjectId object = objects_[position];
      float& slack = slack_[object];
      if (slack > 0) {
        const ClusterId own = labels_[object];
        const Reach& reach = reach_[last_epoch];
        const double others = reach.longest_cluster == own ? reach.second : reach.longest;
        slack = round_down(static_cast<double>(slack) - way_since(last_epoch, own) - others);
      }
      if (!(slack > 0)) {
        scratch.rows.push_back(problem_.sketch(object));
        scratch.positions.push_back(position);
      }
    }
  }

  judge_together(scratch);
  for (std::size_t v = begin; v < end; ++v) {
    Visit& visit = visits_[v];
    if (!visit.opened) {
      continue;
    }
    float least = kForever;
    for (std::size_t i = 0; i < objects_in(visit.run); ++i) {
      const std::size_t position = v * run_length_ + i;
      least = std::min(least, slack_[objects_[position]]);
      visit.has_moves = visit.has_moves || targets_[position] != labels_[objects_[position]];
    }
    runs_[visit.run].least_slack = least;
  }
}

// Fills in the run's objects, in order, and pays their debt.
void GramState::open(const SweepOrder& order, std::size_t first_run, std::size_t v) {
  Visit& visit = visits_[v];
  visit.opened = true;
  const float debt = std::exchange(runs_[visit.run].debt, 0.0F);
  const std::size_t count = objects_in(visit.run);
  order.fill((first_run + v) * run_length_, count, &objects_[v * run_length_]);
  for (std::size_t position = v * run_length_; position < v * run_length_ + count; ++position) {
    const ObjectId object = objects_[position];
    targets_[position] = labels_[object];
    if (debt > 0) {
      slack_[object] = round_down(static_cast<double>(slack_[object] - debt));
    }
  }
}

void GramState::judge_together(Scratch& scratch) {
  scratch.products.resize(scratch.rows.size() * packed_.width());
  tile_products(scratch.rows.data(), scratch.rows.size(), packed_, scratch.products.data());
  for (std::size_t r = 0; r < scratch.rows.size(); ++r) {
    decide(scratch.positions[r], &scratch.products[r * packed_.width()]);
  }
}

// From an object's products to its best cluster and the slack of that judgement.
void GramState::decide(std::size_t position, float* products) {
  const ObjectId object = objects_[position];
  const auto norm = static_cast<double>(problem_.norm(object));
  if (norm == 0) {  // no affinity to anything: it stays where it is
    slack_[object] = kForever;
    return;
  }
  const double unit = problem_.sketch_scale() * largest_sum_;
  if (unit > 0) {
    products[labels_[object]] -= static_cast<float>(problem_.approximate_self(object) / unit);
  }
  std::fill(products + packed_.count(), products + packed_.width(), -kForever);
  const TopTwo top = top_two(products, packed_.width());

  // Roundings: of both factors and of every addition in the product, of the self affinity.
  const double product_error = (static_cast<double>(length_) + 8) * 0x1p-24 * largest_sum_;
  const double self_error = 4e-6 * norm;
  const double gap = (static_cast<double>(top.first) - static_cast<double>(top.second)) * unit;
  slack_[object] =
      round_down((gap - problem_.tolerance()) / norm - 2 * product_error - 2 * self_error);
  targets_[position] = static_cast<ClusterId>(top.index);
  if (opens_cluster(targets_[position])) {
    slack_[object] = kUnknown;
  }
}

// With K free, going to an empty cluster leaves another empty one behind, as good as the first was:
// such a judgement has no slack.
bool GramState::opens_cluster(ClusterId to) const { return slots_.free() && slots_.size(to) == 0; }

std::size_t GramState::walk(const SweepOrder& order, std::size_t first_run, std::size_t runs,
                            std::size_t epoch) {
  std::size_t moves = 0;
  for (std::size_t v = 0; v < runs; ++v) {
    Visit& visit = visits_[v];
    Run& run = runs_[visit.run];
    if (!visit.has_moves && static_cast<double>(run.least_slack) > batch_reach_.sum()) {
      continue;
    }
    if (!visit.opened) {
      open(order, first_run, v);
    }
    for (std::size_t i = 0; i < objects_in(visit.run); ++i) {
      const std::size_t position = v * run_length_ + i;
      const ObjectId object = objects_[position];
      const bool stands = static_cast<double>(slack_[object]) > batch_reach_.sum();
      const ClusterId to = stands ? targets_[position] : judge_exactly(object);
      run.least_slack = std::min(run.least_slack, slack_[object]);
      if (to != labels_[object]) {
        move(object, to, epoch);
        ++moves;
      }
    }
  }
  return moves;
}

ClusterId GramState::judge_exactly(ObjectId object) {
  const ClusterId own = labels_[object];
  problem_.x_row(object, truth_, row_.data());
  affinities_.resize(slots_.count());
  products(row_.data(), sums_.data(), affinities_.size(), length_, affinities_.data());
  affinities_[own] -= problem_.self(object, row_.data());
  const BestMove best = best_move(affinities_, own, problem_.tolerance());
  // As of the batch's beginning, which is what slack is measured from.
  const auto norm = static_cast<double>(problem_.norm(object));
  slack_[object] =
      norm > 0 ? round_down((best.margin - problem_.tolerance()) / norm - batch_reach_.sum())
               : kForever;
  if (opens_cluster(best.to)) {
    slack_[object] = kUnknown;
  }
  return best.to;
}

void GramState::move(ObjectId object, ClusterId to, std::size_t epoch) {
  const ClusterId from = labels_[object];
  problem_.x_row(object, truth_, row_.data());
  problem_.x_to_z(object, row_.data());
  move_between(sum(from), sum(to), row_.data(), length_);
  labels_[object] = to;
  slots_.move(from, to);
  if (slots_.count() * length_ > sums_.size()) {
    sums_.resize(slots_.count() * length_, 0.0);
    way_.resize(slots_.count(), 0.0);
    moves_since_measured_.resize(slots_.count(), 0);
  }
  const double step = problem_.z_norm(object);
  for (const ClusterId k : {from, to}) {
    if (++moves_since_measured_[k] % kMeasureEvery == 0) {
      way_[k] = way_from(this_sweep_[epoch].sums, k);
      batch_reach_ = {};
      for (ClusterId other = 0; other < way_.size(); ++other) {
        batch_reach_.include(other, way_[other]);
      }
    } else {
      note_way(k, way_[k] + step);
    }
  }
}

// The way of a cluster grew: so may the two longest.
void GramState::note_way(ClusterId cluster, double way) {
  way_[cluster] = way;
  if (cluster == batch_reach_.longest_cluster) {
    batch_reach_.longest = way;
  } else if (way > batch_reach_.longest) {
    batch_reach_.second = batch_reach_.longest;
    batch_reach_.longest = way;
    batch_reach_.longest_cluster = cluster;
  } else {
    batch_reach_.second = std::max(batch_reach_.second, way);
  }
}

void GramState::end_sweep(std::size_t epochs, std::size_t moves) {
  this_sweep_.resize(epochs);
  team_.for_each(epochs, [&](std::size_t e, int) {
    Epoch& epoch = this_sweep_[e];
    epoch.way.resize(slots_.count());
    for (ClusterId k = 0; k < epoch.way.size(); ++k) {
      epoch.way[k] = round_up(way_from(epoch.sums, k));
    }
  });
  std::swap(this_sweep_, last_sweep_);
  batch_runs_ = runs_in_batch(labels_.size(), run_length_, slots_.count(), moves);
}

void GramState::settle() {
  // An exact row differs from its float32 copy by at most |x| / 2^24, its product with a vector
  // accordingly, its affinity to itself by twice as much.
  const double of_rows =
      truth_ == RowTruth::exact ? 0 : 0x1p-23 * (largest_sum_ + problem_.largest_norm());
  truth_ = RowTruth::exact;
  const std::vector<double> before = std::exchange(sums_, sums_of_rows());
  for (ClusterId k = 0; k < slots_.count(); ++k) {
    const double way = way_from(before, k) + of_rows;
    for (Epoch& epoch : last_sweep_) {
      epoch.way.resize(slots_.count(), 0);
      epoch.way[k] = round_up(static_cast<double>(epoch.way[k]) + way);
    }
  }
}

double GramState::cost() const {
  double within = 0;
  for (ClusterId k = 0; k < slots_.count(); ++k) {
    within += problem_.within(&sums_[k * length_], slots_.size(k));
  }
  return -problem_.unit() * within;
}

}  // namespace shiftcut

#include "search/gram_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/best_move.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kLargestEpochs = 128;
constexpr std::size_t kSmallestBatch = 256;
constexpr std::size_t kChunk = 240;       // objects judged by one task
constexpr std::uint32_t kMeasureEvery = 8;  // moves of a cluster between exact ways
constexpr float kUnknown = -std::numeric_limits<float>::infinity();

// Batches are as many as keep their copies of the clusters' vectors small beside the data.
std::size_t batch_size(std::size_t n, std::size_t clusters) {
  const std::size_t epochs = std::clamp<std::size_t>(n / (40 * clusters), 1, kLargestEpochs);
  return std::max(kSmallestBatch, (n + epochs - 1) / epochs);
}

// A float not above the given value.
float round_down(double value) { return static_cast<float>(value - 1e-6 * std::abs(value)); }
float round_up(double value) { return static_cast<float>(value + 1e-6 * std::abs(value)); }

template <class Reach>
void include(Reach& reach, ClusterId k, double way) {
  if (way > reach.longest) {
    reach.second = reach.longest;
    reach.longest = way;
    reach.longest_cluster = k;
  } else if (way > reach.second) {
    reach.second = way;
  }
}

}  // namespace

GramState::GramState(const GramProblem& problem, std::vector<ClusterId> labels,
                     std::optional<std::size_t> clusters, RowTruth truth, ThreadTeam& team)
    : problem_(problem),
      team_(team),
      truth_(truth),
      length_(problem.length()),
      labels_(std::move(labels)),
      slots_(labels_, clusters),
      batch_(batch_size(problem.size(), slots_.count())),
      slack_(problem.size(), kUnknown),
      epoch_(problem.size(), 0),
      chunks_((batch_ + kChunk - 1) / kChunk),
      scratch_(static_cast<std::size_t>(team.threads())),
      row_(length_) {
  objects_.resize(batch_);
  targets_.resize(batch_);
  sums_ = sum_over_row_chunks(problem_.size(), length_, slots_.count() * length_, team_,
                              [&](std::size_t begin, std::size_t end, double* sums) {
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
                              });
}

std::size_t GramState::sweep(const SweepOrder& order, StopCheck& stop) {
  const std::size_t n = problem_.size();
  start_ = sums_;
  std::size_t moves = 0;
  std::size_t epoch = 0;
  for (std::size_t begin = 0; begin < n && !stop.should_stop(); begin += batch_, ++epoch) {
    const std::size_t count = std::min(batch_, n - begin);
    begin_batch(epoch);
    judge(order, begin, count, epoch);
    moves += walk(count, epoch);
  }
  end_sweep(epoch);
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
    const std::vector<float>& way = last_sweep_[e].way;
    for (ClusterId k = 0; k < clusters; ++k) {
      include(reach_[e], k, since_start_[k] + (k < way.size() ? static_cast<double>(way[k]) : 0));
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

void GramState::judge(const SweepOrder& order, std::size_t begin, std::size_t count,
                      std::size_t epoch) {
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  team_.for_each(chunks, [&](std::size_t c, int worker) {
    const std::size_t first = c * kChunk;
    judge_chunk(order, begin, first, std::min(kChunk, count - first), epoch,
                scratch_[static_cast<std::size_t>(worker)]);
  });
}

void GramState::judge_chunk(const SweepOrder& order, std::size_t begin, std::size_t first,
                            std::size_t count, std::size_t epoch, Scratch& scratch) {
  order.fill(begin + first, count, &objects_[first]);
  scratch.rows.clear();
  scratch.positions.clear();
  for (std::size_t position = first; position < first + count; ++position) {
    const ObjectId object = objects_[position];
    const ClusterId own = labels_[object];
    targets_[position] = own;
    float slack = slack_[object];
    if (slack > 0) {
      const std::size_t e = epoch_[object];
      const Reach& reach = reach_[e];
      const std::vector<float>& way = last_sweep_[e].way;
      const double own_way =
          since_start_[own] + (own < way.size() ? static_cast<double>(way[own]) : 0);
      const double other_way = reach.longest_cluster == own ? reach.second : reach.longest;
      slack = round_down(static_cast<double>(slack) - own_way - other_way);
      slack_[object] = slack;
    }
    epoch_[object] = static_cast<std::uint16_t>(epoch);
    if (!(slack > 0)) {
      scratch.rows.push_back(problem_.sketch(object));
      scratch.positions.push_back(position);
    }
  }

  scratch.products.resize(scratch.rows.size() * packed_.width());
  tile_products(scratch.rows.data(), scratch.rows.size(), packed_, scratch.products.data());
  for (std::size_t r = 0; r < scratch.rows.size(); ++r) {
    decide(scratch.positions[r], &scratch.products[r * packed_.width()]);
  }

  Chunk chunk{std::numeric_limits<float>::infinity(), false};
  for (std::size_t position = first; position < first + count; ++position) {
    const ObjectId object = objects_[position];
    chunk.least_slack = std::min(chunk.least_slack, slack_[object]);
    chunk.has_moves = chunk.has_moves || targets_[position] != labels_[object];
  }
  chunks_[first / kChunk] = chunk;
}

// From an object's products to its best cluster and the slack of that judgement.
void GramState::decide(std::size_t position, float* products) {
  const ObjectId object = objects_[position];
  const auto norm = static_cast<double>(problem_.norm(object));
  if (norm == 0) {  // no affinity to anything: it stays where it is
    slack_[object] = std::numeric_limits<float>::infinity();
    return;
  }
  const double unit = problem_.sketch_scale() * largest_sum_;
  const ClusterId own = labels_[object];
  if (unit > 0) {
    products[own] -= static_cast<float>(problem_.approximate_self(object) / unit);
  }
  std::fill(products + packed_.count(), products + packed_.width(),
            -std::numeric_limits<float>::infinity());
  const TopTwo top = top_two(products, packed_.width());

  // Roundings: of both factors and of every addition in the product, of the self affinity.
  const double product_error =
      (static_cast<double>(length_) + 8) * 0x1p-24 * largest_sum_;
  const double self_error = 4e-6 * norm;
  const double gap = (static_cast<double>(top.first) - static_cast<double>(top.second)) * unit;
  slack_[object] = round_down((gap - problem_.tolerance()) / norm - 2 * product_error -
                              2 * self_error);
  targets_[position] = static_cast<ClusterId>(top.index);
  if (opens_cluster(targets_[position])) {
    slack_[object] = kUnknown;
  }
}

// With K free, going to an empty cluster leaves another empty one behind, as good as the first was:
// such a judgement has no slack.
bool GramState::opens_cluster(ClusterId to) const { return slots_.free() && slots_.size(to) == 0; }

std::size_t GramState::walk(std::size_t count, std::size_t epoch) {
  std::size_t moves = 0;
  for (std::size_t first = 0; first < count; first += kChunk) {
    const Chunk& chunk = chunks_[first / kChunk];
    if (!chunk.has_moves &&
        static_cast<double>(chunk.least_slack) > batch_reach_.longest + batch_reach_.second) {
      continue;
    }
    for (std::size_t position = first; position < std::min(count, first + kChunk); ++position) {
      const ObjectId object = objects_[position];
      const bool stands = static_cast<double>(slack_[object]) >
                          batch_reach_.longest + batch_reach_.second;
      const ClusterId to = stands ? targets_[position] : judge_exactly(object);
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
  for (ClusterId k = 0; k < affinities_.size(); ++k) {
    affinities_[k] = dot(row_.data(), sum(k), length_);
  }
  affinities_[own] -= problem_.self(object, row_.data());
  const BestMove best = best_move(affinities_, own, problem_.tolerance());
  // As of the batch's beginning, which is what slack is measured from.
  const auto norm = static_cast<double>(problem_.norm(object));
  slack_[object] = norm > 0 ? round_down((best.margin - problem_.tolerance()) / norm -
                                         batch_reach_.longest - batch_reach_.second)
                            : std::numeric_limits<float>::infinity();
  if (opens_cluster(best.to)) {
    slack_[object] = kUnknown;
  }
  return best.to;
}

void GramState::move(ObjectId object, ClusterId to, std::size_t epoch) {
  const ClusterId from = labels_[object];
  problem_.x_row(object, truth_, row_.data());
  problem_.x_to_z(object, row_.data());
  add_scaled(sum(from), -1, row_.data(), length_);
  add_scaled(sum(to), 1, row_.data(), length_);
  labels_[object] = to;
  slots_.move(from, to);
  if (slots_.count() * length_ > sums_.size()) {
    sums_.resize(slots_.count() * length_, 0.0);
    way_.resize(slots_.count(), 0.0);
    moves_since_measured_.resize(slots_.count(), 0);
  }
  for (const ClusterId k : {from, to}) {
    if (++moves_since_measured_[k] % kMeasureEvery == 0) {
      way_[k] = way_from(this_sweep_[epoch].sums, k);
      batch_reach_ = {};
      for (ClusterId other = 0; other < way_.size(); ++other) {
        include(batch_reach_, other, way_[other]);
      }
    } else {
      note_way(k, way_[k] + problem_.z_norm(object));
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

void GramState::end_sweep(std::size_t epochs) {
  this_sweep_.resize(epochs);
  team_.for_each(epochs, [&](std::size_t e, int) {
    Epoch& epoch = this_sweep_[e];
    epoch.way.resize(slots_.count());
    for (ClusterId k = 0; k < epoch.way.size(); ++k) {
      epoch.way[k] = round_up(way_from(epoch.sums, k));
    }
  });
  std::swap(this_sweep_, last_sweep_);
}

}  // namespace shiftcut

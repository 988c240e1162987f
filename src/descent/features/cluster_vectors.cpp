#include "descent/features/cluster_vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "descent/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

// Sums float32 rows by cluster, four at a time: a quarter of the writes to the sums.
class RowSums {
 public:
  RowSums(double* sums, std::size_t clusters, std::size_t length, double factor)
      : sums_(sums), length_(length), factor_(factor), pending_(clusters) {}

  void add(ClusterId k, const float* row) {
    Pending& pending = pending_[k];
    pending.rows[pending.count++] = row;
    if (pending.count == kRows) {
      add_four(sums_ + k * length_, factor_, pending.rows.data(), length_);
      pending.count = 0;
    }
  }

  void add_pending() {
    for (std::size_t k = 0; k < pending_.size(); ++k) {
      for (std::size_t i = 0, count = std::exchange(pending_[k].count, 0); i < count; ++i) {
        add_scaled(sums_ + k * length_, factor_, pending_[k].rows[i], length_);
      }
    }
  }

 private:
  static constexpr std::size_t kRows = 4;
  struct Pending {
    std::array<const float*, kRows> rows{};
    std::size_t count = 0;
  };

  double* sums_;
  std::size_t length_;
  double factor_;
  std::vector<Pending> pending_;
};

}  // namespace

ClusterVectors::ClusterVectors(const GramProblem& problem, std::span<const ClusterId> labels,
                               std::optional<std::size_t> clusters, RowTruth truth,
                               ThreadTeam& team)
    : problem_(problem),
      length_(problem.length()),
      truth_(truth),
      slots_(labels, clusters, problem.node_weights()),
      row_(length_) {
  sums_ = sums_of_rows(labels, team);
  list_candidates();
}

std::vector<double> ClusterVectors::sums_of_rows(std::span<const ClusterId> labels,
                                                 ThreadTeam& team) const {
  const FeatureRows& rows = problem_.rows();
  const bool exact = truth_ == RowTruth::exact;
  const bool plain = !problem_.has_extra();
  const bool raw = exact && plain && rows.can_sum_raw();
  const auto add = [&](std::size_t begin, std::size_t end, double* sums) {
    std::vector<double> row(length_);
    RowSums row_sums(sums, slots_.count(), length_, exact ? 1 : problem_.sketch_scale());
    for (std::size_t i = begin; i < end; ++i) {
      const auto object = static_cast<ObjectId>(i);
      double* cluster = sums + labels[i] * length_;
      if (raw && rows.is_float32()) {
        row_sums.add(labels[i], rows.raw_float32(i));
      } else if (raw) {
        rows.add_raw(i, cluster);
      } else if (!exact && plain) {
        row_sums.add(labels[i], problem_.sketch(object));
      } else {
        problem_.x_row(object, truth_, row.data());
        problem_.x_to_z(object, row.data());
        add_scaled(cluster, 1, row.data(), length_);
      }
    }
    row_sums.add_pending();
  };
  std::vector<double> sums =
      sum_over_row_chunks(problem_.size(), length_, slots_.count() * length_, team, add);
  for (ClusterId k = 0; raw && k < slots_.count(); ++k) {
    rows.raw_to_scaled(&sums[k * length_], slots_.size(k));
  }
  return sums;
}

void ClusterVectors::list_candidates() {
  candidates_.clear();
  bool has_empty = false;
  for (ClusterId k = 0; k < slots_.count(); ++k) {
    const bool empty = slots_.size(k) == 0;
    if (!empty || !has_empty) {
      candidates_.push_back(k);
    }
    has_empty = has_empty || empty;
  }
}

void ClusterVectors::begin_batch() {
  batch_start_ = sums_;
  drift_.assign(slots_.count(), 0.0);
  moves_.assign(slots_.count(), 0);
  top_drifts_ = {};
  double largest = 0;
  for (const ClusterId k : candidates_) {
    largest = std::max(largest, dot(sum(k), sum(k), length_));
  }
  largest_norm_ = std::sqrt(largest);
  packed_.resize(length_, candidates_.size());
  const double factor = largest_norm_ > 0 ? 1 / largest_norm_ : 0;
  std::vector<const double*> columns;
  for (const ClusterId k : candidates_) {
    columns.push_back(sum(k));
  }
  packed_.set_all(columns, factor);
}

BestMove ClusterVectors::best_move_of(ObjectId object, std::span<const ClusterId> labels) {
  const ClusterId own = labels[object];
  problem_.x_row(object, truth_, row_.data());
  affinities_.clear();
  ClusterId own_place = 0;
  for (const ClusterId k : candidates_) {
    if (k == own) {
      own_place = static_cast<ClusterId>(affinities_.size());
    }
    affinities_.push_back(slots_.size(k) > 0 ? dot(row_.data(), sum(k), length_) : 0.0);
  }
  affinities_[own_place] -= problem_.self(object, row_.data());
  problem_.pairs().for_each(object, [&](ObjectId other, double value) {
    const auto place = std::lower_bound(candidates_.begin(), candidates_.end(), labels[other]);
    affinities_[static_cast<std::size_t>(place - candidates_.begin())] += value;
  });
  BestMove best = best_move(affinities_, own_place, problem_.tolerance());
  best.to = candidates_[best.to];
  return best;
}

void ClusterVectors::move(ObjectId object, ClusterId from, ClusterId to) {
  const bool to_was_empty = slots_.size(to) == 0;
  if (truth_ == RowTruth::float32 && !problem_.has_extra()) {
    move_between(sum(from), sum(to), problem_.sketch_scale(), problem_.sketch(object), length_);
  } else {
    problem_.x_row(object, truth_, row_.data());
    problem_.x_to_z(object, row_.data());
    move_between(sum(from), sum(to), 1, row_.data(), length_);
  }
  slots_.move(from, to, problem_.node_weight(object));
  if (to_was_empty || slots_.size(from) == 0) {
    sums_.resize(slots_.count() * length_, 0.0);
    drift_.resize(slots_.count(), 0.0);
    moves_.resize(slots_.count(), 0);
    list_candidates();
  }
  const double step = problem_.z_norm(object);
  grow_drift(from, step);
  grow_drift(to, step);
}

// The drift grows by at most the step. Measured now and then, it is mostly found to be shorter.
void ClusterVectors::grow_drift(ClusterId k, double step) {
  if (++moves_[k] % descent_tuning::kMeasureDriftEvery != 0) {
    drift_[k] += step;
    top_drifts_.include(k, drift_[k]);
    return;
  }
  drift_[k] = drift_since(batch_start_, k);
  if (!top_drifts_.contains(k)) {
    top_drifts_.include(k, drift_[k]);
    return;
  }
  top_drifts_ = {};
  for (ClusterId other = 0; other < drift_.size(); ++other) {
    top_drifts_.include(other, drift_[other]);
  }
}

double ClusterVectors::drift_since(const std::vector<double>& then, ClusterId k) const {
  const double* now = &sums_[k * length_];
  if ((k + 1) * length_ > then.size()) {
    return std::sqrt(dot(now, now, length_));  // it did not exist then
  }
  return std::sqrt(squared_distance(now, &then[k * length_], length_));
}

void ClusterVectors::recompute_exactly(std::span<const ClusterId> labels, ThreadTeam& team) {
  truth_ = RowTruth::exact;
  sums_ = sums_of_rows(labels, team);
}

double ClusterVectors::cost() const {
  double within = 0;
  for (ClusterId k = 0; k < slots_.count(); ++k) {
    within += problem_.within(&sums_[k * length_], slots_.size(k));
  }
  return -problem_.unit() * within;
}

}  // namespace shiftcut

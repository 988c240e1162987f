// Rows are scaled and packed a block at a time, so that memory does not grow with their number.
#include "neighbors/metrics/metric_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/kernels/metric_kernels.hpp"
#include "core/work_meter.hpp"
#include "neighbors/tuning.hpp"

namespace shiftcut {

namespace {

PairTerm term_of(Metric metric) {
  switch (metric) {
    case Metric::chebyshev:
      return PairTerm::largest_difference;
    case Metric::canberra:
      return PairTerm::relative_difference;
    case Metric::hamming:
      return PairTerm::unequal;
    case Metric::jaccard:
      return PairTerm::both_nonzero;
    default:  // manhattan, and the numerator of braycurtis
      return PairTerm::absolute_difference;
  }
}

// Rows in memory: the queries of a task, or a block of those they are compared with.
class Block {
 public:
  template <class Number>
  Block(const FeatureRows& rows, std::size_t count, const Number& number_of)
      : values_(count * rows.length()), pointers_(count), nonzero_(count) {
    const std::size_t d = rows.length();
    for (std::size_t r = 0; r < count; ++r) {
      pointers_[r] = &values_[r * d];
      rows.row(number_of(r), &values_[r * d]);
      nonzero_[r] = static_cast<double>(
          std::count_if(&values_[r * d], &values_[r * d] + d, [](double v) { return v != 0; }));
    }
  }

  [[nodiscard]] std::size_t size() const { return pointers_.size(); }
  [[nodiscard]] const double* const* rows() const { return pointers_.data(); }
  [[nodiscard]] double nonzero(std::size_t r) const { return nonzero_[r]; }

 private:
  std::vector<double> values_;
  std::vector<const double*> pointers_;
  std::vector<double> nonzero_;  // entries other than 0
};

// Distances of all queries to all rows of a block.
class Distances {
 public:
  Distances(Metric metric, std::size_t length) : metric_(metric), length_(length) {}

  void measure(const Block& queries, const Block& others) {
    packed_.resize(length_, others.size());
    for (std::size_t c = 0; c < others.size(); ++c) {
      packed_.set(c, others.rows()[c], 1.0);
    }
    width_ = packed_.width();
    sums_.resize(queries.size() * width_);
    tile_pair_terms(term_of(metric_), queries.rows(), queries.size(), packed_, sums_.data());
    if (metric_ == Metric::braycurtis) {
      sizes_.resize(sums_.size());
      tile_pair_terms(PairTerm::absolute_sum, queries.rows(), queries.size(), packed_,
                      sizes_.data());
    }
    for (std::size_t q = 0; q < queries.size(); ++q) {
      for (std::size_t c = 0; c < others.size(); ++c) {
        double& sum = sums_[q * width_ + c];
        if (metric_ == Metric::braycurtis) {
          const double size = sizes_[q * width_ + c];
          sum = size > 0 ? sum / size : 0.0;
        } else if (metric_ == Metric::hamming) {
          sum /= static_cast<double>(length_);
        } else if (metric_ == Metric::jaccard) {
          const double either = queries.nonzero(q) + others.nonzero(c) - sum;
          sum = either > 0 ? (either - sum) / either : 0.0;
        }
      }
    }
  }

  [[nodiscard]] double of(std::size_t query, std::size_t other) const {
    return sums_[query * width_ + other];
  }

 private:
  Metric metric_;
  std::size_t length_;
  PackedColumns<double> packed_;
  std::size_t width_ = 0;
  std::vector<double> sums_;
  std::vector<double> sizes_;
};

// The k nearest so far, and all that are as near as the last of them.
class Nearest {
 public:
  explicit Nearest(std::size_t k) : k_(k), room_(2 * k + 64) {}

  void push(double distance, std::size_t other) {
    if (distance > limit_) {
      return;
    }
    found_.push_back({distance, static_cast<ObjectId>(other)});
    if (found_.size() >= room_) {
      tighten();
      room_ = std::max(room_, 2 * found_.size());
    }
  }

  /// With squared distances.
  std::vector<NearGroup>& finish() {
    tighten();
    for (NearGroup& near : found_) {
      near.squared *= near.squared;
    }
    return found_;
  }

 private:
  void tighten() {
    if (found_.size() <= k_) {
      return;
    }
    const auto last = found_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(found_.begin(), last, found_.end(),
                     [](const NearGroup& a, const NearGroup& b) { return a.squared < b.squared; });
    limit_ = last->squared;
    std::erase_if(found_, [&](const NearGroup& near) { return near.squared > limit_; });
  }

  std::size_t k_;
  std::size_t room_;
  double limit_ = std::numeric_limits<double>::infinity();
  std::vector<NearGroup> found_;
};

// push(query, other, distance) for all queries of a task and all of `count` other rows.
template <class Number, class Push>
void compare(const Block& queries, const FeatureRows& others, std::size_t count,
             const Number& number_of, Metric metric, const ThreadTeam& team, const Push& push) {
  Distances distances(metric, others.length());
  for (std::size_t first = 0; first < count; first += kComparedTogether) {
    team.poll();
    const Block block(others, std::min(kComparedTogether, count - first),
                      [&](std::size_t r) { return number_of(first + r); });
    distances.measure(queries, block);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      for (std::size_t c = 0; c < block.size(); ++c) {
        push(q, first + c, distances.of(q, c));
      }
    }
  }
}

}  // namespace

std::size_t most_rows_compared(std::size_t length) {
  return static_cast<std::size_t>(
      std::sqrt(kMostMetricTerms / static_cast<double>(std::max<std::size_t>(1, length))));
}

void metric_search(const FeatureRows& rows, const RowGroups& groups, Metric metric, std::size_t k,
                   const ListWriter& writer, ThreadTeam& team, const Control& control) {
  const std::size_t n = groups.size();
  const auto row_of = [&](std::size_t group) { return std::size_t{groups.first(group)}; };
  const std::size_t tasks = (n + kMetricQueries - 1) / kMetricQueries;
  WorkMeter meter(control, "neighbours", tasks);
  team.for_each(tasks, [&](std::size_t task, int) {
    meter.add();
    const std::size_t first = task * kMetricQueries;
    const Block queries(rows, std::min(kMetricQueries, n - first),
                        [&](std::size_t q) { return row_of(first + q); });
    std::vector<Nearest> nearest(queries.size(), Nearest(k));
    compare(queries, rows, n, row_of, metric, team,
            [&](std::size_t q, std::size_t other, double distance) {
              if (other != first + q) {
                nearest[q].push(distance, other);
              }
            });
    for (std::size_t q = 0; q < queries.size(); ++q) {
      writer.write(first + q, nearest[q].finish());
    }
  });
}

NeighborLists nearest_by_metric(const FeatureRows& rows, const FeatureRows& queries, Metric metric,
                                std::size_t k, ThreadTeam& team, const Control& control) {
  NeighborLists lists(queries.size(), std::min(k, rows.size()));
  const auto same = [](std::size_t i) { return i; };
  const std::size_t tasks = (queries.size() + kMetricQueries - 1) / kMetricQueries;
  WorkMeter meter(control, "neighbours", tasks);
  team.for_each(tasks, [&](std::size_t task, int) {
    meter.add();
    const std::size_t first = task * kMetricQueries;
    const Block block(queries, std::min(kMetricQueries, queries.size() - first),
                      [&](std::size_t q) { return first + q; });
    std::vector<Nearest> nearest(block.size(), Nearest(lists.k));
    compare(block, rows, rows.size(), same, metric, team,
            [&](std::size_t q, std::size_t other, double distance) {
              nearest[q].push(distance, other);
            });
    for (std::size_t q = 0; q < block.size(); ++q) {
      std::vector<NearGroup>& near = nearest[q].finish();
      std::ranges::sort(near, [](const NearGroup& a, const NearGroup& b) {
        return a.squared != b.squared ? a.squared < b.squared : a.group < b.group;
      });
      for (std::size_t e = 0; e < lists.k; ++e) {
        lists.ids[(first + q) * lists.k + e] = near[e].group;
        lists.squared[(first + q) * lists.k + e] = near[e].squared;
      }
    }
  });
  return lists;
}

}  // namespace shiftcut

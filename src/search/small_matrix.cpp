#include "search/small_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/kernels.hpp"

namespace shiftcut {

namespace {

constexpr int kMostSweeps = 1000;  // rounding may send objects round in circles

}  // namespace

void SmallMatrix::set_diagonal_apart() {
  for (std::size_t i = 0; i < n; ++i) {
    diagonal[i] = std::exchange(row(i)[i], 0.0);
  }
}

SmallMatrix small_matrix(const SparseLevel& level) {
  const Nodes& nodes = level.nodes();
  SmallMatrix s(level.size());
  for (ObjectId a = 0; a < level.size(); ++a) {
    for (ObjectId b = 0; b < level.size(); ++b) {
      const Mass& x = nodes.mass[a];
      const Mass& y = nodes.mass[b];
      s.row(a)[b] = -nodes.terms.flat * x.size * y.size -
                    nodes.terms.per_degree * (y.size * x.degree + x.size * y.degree);
    }
    s.row(a)[a] += nodes.self[a];
    level.for_each_edge(a, [&](ObjectId b, double weight) { s.row(a)[b] += weight; });
  }
  s.set_diagonal_apart();
  return s;
}

std::vector<double> group_sums(const SmallMatrix& s, std::span<const ClusterId> groups,
                               std::size_t count) {
  std::vector<double> sums(count * s.n, 0.0);
  for (std::size_t i = 0; i < s.n; ++i) {
    add_scaled(&sums[groups[i] * s.n], 1.0, s.row(i), s.n);
  }
  return sums;
}

SmallMatrix between_groups(const SmallMatrix& s, const std::vector<double>& sums,
                           std::span<const ClusterId> groups, std::size_t count) {
  SmallMatrix between(count);
  for (std::size_t g = 0; g < count; ++g) {
    for (std::size_t j = 0; j < s.n; ++j) {
      between.row(g)[groups[j]] += sums[g * s.n + j];
    }
  }
  between.set_diagonal_apart();
  for (std::size_t j = 0; j < s.n; ++j) {
    between.diagonal[groups[j]] += s.diagonal[j];
  }
  return between;
}

SmallDescent::SmallDescent(const SmallMatrix& s, std::size_t slots, double tolerance)
    : s_(s), slots_(slots), tolerance_(tolerance), labels_(s.n), table_(slots * s.n), best_(s.n) {}

void SmallDescent::begin(std::span<const ClusterId> labels) {
  std::fill(table_.begin(), table_.end(), 0.0);
  std::copy(labels.begin(), labels.end(), labels_.begin());
  for (std::size_t i = 0; i < s_.n; ++i) {
    add_scaled(&table_[labels_[i] * s_.n], 1.0, s_.row(i), s_.n);
  }
}

void SmallDescent::begin(std::span<const ClusterId> groups, std::span<const ClusterId> labels,
                         const std::vector<double>& sums) {
  std::fill(table_.begin(), table_.end(), 0.0);
  for (std::size_t g = 0; g < labels.size(); ++g) {
    add_scaled(&table_[labels[g] * s_.n], 1.0, &sums[g * s_.n], s_.n);
  }
  for (std::size_t i = 0; i < s_.n; ++i) {
    labels_[i] = labels[groups[i]];
  }
}

void SmallDescent::run(Rng& rng) {
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    list_movers();
    if (movers_.empty()) {
      break;
    }
    for (std::size_t i = movers_.size(); i > 0; --i) {
      std::swap(movers_[i - 1], movers_[rng.below(static_cast<std::uint32_t>(i))]);
      move_to_best(movers_[i - 1]);
    }
  }
}

// All at once first: most stay where they are.
void SmallDescent::list_movers() {
  std::copy_n(table_.begin(), s_.n, best_.begin());
  for (std::size_t k = 1; k < slots_; ++k) {
    const double* row = &table_[k * s_.n];
    for (std::size_t i = 0; i < s_.n; ++i) {
      best_[i] = std::max(best_[i], row[i]);
    }
  }
  movers_.clear();
  for (std::size_t i = 0; i < s_.n; ++i) {
    if (best_[i] > table_[labels_[i] * s_.n + i] + tolerance_) {
      movers_.push_back(static_cast<ObjectId>(i));
    }
  }
}

void SmallDescent::move_to_best(ObjectId i) {
  const double* column = &table_[i];
  double best = column[labels_[i] * s_.n] + tolerance_;
  ClusterId to = labels_[i];
  for (ClusterId k = 0; k < slots_; ++k) {
    if (column[k * s_.n] > best) {
      best = column[k * s_.n];
      to = k;
    }
  }
  move(i, to);
}

void SmallDescent::move(ObjectId i, ClusterId to) {
  if (to != labels_[i]) {
    move_between(&table_[labels_[i] * s_.n], &table_[to * s_.n], 1.0, s_.row(i), s_.n);
    labels_[i] = to;
  }
}

double SmallDescent::cost() const {
  double within = 0;
  for (std::size_t i = 0; i < s_.n; ++i) {
    within += table_[labels_[i] * s_.n + i] + s_.diagonal[i];
  }
  return -within;
}

template <class Change>
void SmallDescent::keep_lowest(int times, const Change& change, Rng& rng, StopCheck& stop) {
  std::vector<ClusterId> labels = labels_;
  std::vector<double> table = table_;
  double lowest = cost();
  for (int time = 0; time < times && !stop.should_stop(); ++time) {
    change();
    run(rng);
    const double now = cost();
    if (now < lowest - 1e-12 * std::abs(lowest) - tolerance_) {
      lowest = now;
      labels = labels_;
      table = table_;
    } else {
      labels_ = labels;
      table_ = table;
    }
  }
}

void SmallDescent::restart(int times, Rng& rng, StopCheck& stop) {
  std::vector<ClusterId> random(s_.n);
  const auto draw = [&] {
    for (ClusterId& label : random) {
      label = rng.below(static_cast<std::uint32_t>(slots_));
    }
    begin(random);
  };
  keep_lowest(times, draw, rng, stop);
}

void SmallDescent::improve(int trials, Rng& rng, StopCheck& stop) {
  if (slots_ > 1 && s_.n > 2) {
    keep_lowest(trials, [&] { change(rng); }, rng, stop);
  }
}

void SmallDescent::change(Rng& rng) {
  const auto slots = static_cast<std::uint32_t>(slots_);
  const ClusterId from = labels_[rng.below(static_cast<std::uint32_t>(s_.n))];
  const ClusterId to = (from + 1 + rng.below(slots - 1)) % slots;
  if (slots == 2 || rng.below(4) > 0) {
    split(from, to, 1 + rng.below(16), rng);
    return;
  }
  for (ObjectId i = 0; i < s_.n; ++i) {
    if (labels_[i] == from) {
      move(i, to);
    }
  }
  split(labels_[rng.below(static_cast<std::uint32_t>(s_.n))], from, 1, rng);
}

// What is nearer to one member than to another, the nearest of some drawn: with many draws a small
// part.
void SmallDescent::split(ClusterId from, ClusterId to, std::uint32_t draws, Rng& rng) {
  const ObjectId one = any_of(from, rng);
  const double* near_one = s_.row(one);
  ObjectId other = one;
  for (std::uint32_t draw = 0; draw < draws; ++draw) {
    const ObjectId next = any_of(from, rng);
    if (next != one && (other == one || s_.diagonal[next] - 2 * near_one[next] <
                                            s_.diagonal[other] - 2 * near_one[other])) {
      other = next;
    }
  }
  const double* near_other = s_.row(other);
  const double difference = s_.diagonal[one] - s_.diagonal[other];
  for (ObjectId i = 0; i < s_.n; ++i) {
    if (i != other && labels_[i] == from && difference < 2 * (near_one[i] - near_other[i])) {
      move(i, to);
    }
  }
  move(one, to);
}

// Some member, found by a few draws or the first after one; the cluster has one.
ObjectId SmallDescent::any_of(ClusterId cluster, Rng& rng) const {
  auto i = static_cast<std::size_t>(rng.below(static_cast<std::uint32_t>(s_.n)));
  for (int draw = 0; draw < 16 && labels_[i] != cluster; ++draw) {
    i = rng.below(static_cast<std::uint32_t>(s_.n));
  }
  while (labels_[i] != cluster) {
    i = (i + 1) % s_.n;
  }
  return static_cast<ObjectId>(i);
}

}  // namespace shiftcut
